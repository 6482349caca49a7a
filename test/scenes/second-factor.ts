import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { auth } from '#features/auth/contract.ts'
import type { TestAccount } from '../factories.ts'
import type { TestApp } from '../http-app.ts'

export interface Factor {
	secret: string
	recoveryCodes: string[]
}

/** Returns the code of a step of 30 seconds, counted from now. The default is the next step: the setup uses the current one. */
export function codeOf({ secret }: Pick<Factor, 'secret'>, steps = 1): string {
	return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
}

export async function setUpFactor(app: TestApp, person: TestAccount): Promise<Factor> {
	const { body } = await app.call(auth.startSecondFactor, { body: { currentPassword: person.password } }, person)
	const code = codeOf(body, 0)
	const confirmed = await app.call(auth.confirmSecondFactor, { body: { code } }, person)
	assert.equal(confirmed.status, 200)
	return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes }
}

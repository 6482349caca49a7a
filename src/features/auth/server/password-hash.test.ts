import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Password } from '#lib/fields.ts'
import { withFullCost } from '#test/preload/cheap-passwords.ts'
import { hashPassword, isPassword } from './password-hash.ts'

const person = { name: 'Asha Rao', email: 'asha@example.com', role: 'user' } as const
const hashOf = (password: string) => hashPassword(password, { policy: 'specified', person })

test('isPassword returns true for a password’s own hash only, and hashPassword returns another hash each time', async () => {
	const [one, other] = [await hashOf('hush'), await hashOf('hush')]
	assert.notEqual(one, other)
	assert.match(await withFullCost(() => hashOf('hush')), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
	assert.equal(await isPassword('hush', one), true)
	assert.equal(await isPassword('Hush', one), false)
})

/**
 * Returns the lowest processor time in microseconds of five refusals. Other processes do not lengthen it; garbage collection of
 * this process can.
 */
async function costOfRefusal(hash: string | undefined): Promise<number> {
	const costs: number[] = []
	for (let time = 0; time < 5; time++) {
		const before = process.cpuUsage()
		assert.equal(await isPassword('wrong', hash), false)
		const { user, system } = process.cpuUsage(before)
		costs.push(user + system)
	}
	return Math.min(...costs)
}

test('isPassword without a hash returns false, and costs as much as with one', async () => {
	const hash = await hashOf('hush')
	assert.ok((await costOfRefusal(undefined)) > (await costOfRefusal(hash)) / 2)
})

test('a password of 64 characters or more is verified whole, with its spaces and its case', async () => {
	const password = ` Ünï ${'long '.repeat(38)} `
	assert.equal(Password.parse(password), password)
	const stored = await hashOf(password)
	assert.equal(await isPassword(password, stored), true)
	for (const other of [password.trim(), password.toLowerCase(), password.slice(0, -1)]) {
		assert.equal(await isPassword(other, stored), false)
	}
})

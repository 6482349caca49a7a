import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'

test('isPassword is true for the password’s own hash alone, and hashPassword gives another hash each time', async () => {
	const [one, other] = [await hashPassword('hush'), await hashPassword('hush')]
	assert.notEqual(one, other)
	assert.ok(one.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'))
	assert.equal(await isPassword('hush', one), true)
	assert.equal(await isPassword('Hush', one), false)
})

async function fastestRefusal(hash: string | undefined): Promise<number> {
	const times: number[] = []
	for (let n = 0; n < 5; n++) {
		const start = performance.now()
		assert.equal(await isPassword('wrong', hash), false)
		times.push(performance.now() - start)
	}
	return Math.min(...times)
}

test('isPassword without a hash returns false, and takes as long as with one', async () => {
	const hash = await hashPassword('hush')
	assert.ok((await fastestRefusal(undefined)) > (await fastestRefusal(hash)) / 2)
})

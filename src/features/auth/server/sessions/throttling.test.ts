import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { stopClock } from '#test/stop-clock.ts'

const app = await launchTestApp()

/** Signs in through a trusted proxy that passes on `from` as the caller's address. Returns the status. */
async function signIn(from: string, body: { email: string; password: string }): Promise<number> {
	const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
	const answer = await fetch(`${app.url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(body) })
	return answer.status
}

test('auth.login counts attempts from one IPv6 network together, and attempts from another network separately', async (t) => {
	stopClock(t)
	const { email } = await account(app.context)
	const wrong = { email, password: 'not the password' }
	const statuses = new Set<number>()
	for (let host = 1; host <= 8; host++) statuses.add(await signIn(`2001:db8:0:1::${host}`, wrong))
	assert.deepEqual([...statuses], [401, 429])
	assert.equal(await signIn('2001:db8:0:2::1', wrong), 401)
})

test('auth.login ignores the case of A to Z in an address, and returns 401 for other letters that fold to them', async () => {
	const person = await account(app.context, { email: 'admin.kiran@example.com' })
	const { password } = person
	assert.equal(await signIn('192.0.2.1', { email: 'admİn.kiran@example.com', password }), 401)
	assert.equal(await signIn('192.0.2.2', { email: 'admin.\u212airan@example.com', password }), 401)
	assert.equal(await signIn('192.0.2.3', { email: 'Admin.KIRAN@Example.com', password }), 200)
})

test('a remembered session returns 401 after SESSION_IDLE_HOURS without a call', async () => {
	const { db } = app.context
	const person = await account(app.context)
	const ask = async () =>
		(await fetch(`${app.url}/api/users/profile/me`, { headers: { authorization: `Bearer ${person.token}` } })).status
	const setIdle = (hours: number) => db`
		update sessions set last_seen_at = now() - make_interval(hours => ${hours}), expires_at = now() + interval '20 days'
		where user_id = ${person.userId}
	`
	await setIdle(7 * 24 - 1)
	assert.equal(await ask(), 200)
	await setIdle(7 * 24 + 1)
	assert.equal(await ask(), 401)
})

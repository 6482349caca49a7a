import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Pool } from 'undici'
import { apiKey } from './factories.ts'
import { launchTestApp } from './http-app.ts'

/** Number of unknown credentials: more than a network may send before its look-ups are limited to ten at a time. */
const MADE_UP = 1200
const OF_ONE_KEY = 200
const CONNECTIONS = 50

const app = await launchTestApp()
const secret = () => randomBytes(32).toString('base64url')

/** Sends calls over many connections, many on each before its first answer. Returns the number of answers by status. */
async function flood(path: string, count: number, tokenOf: (index: number) => string): Promise<Record<number, number>> {
	const pool = new Pool(app.url, { connections: CONNECTIONS, pipelining: count / CONNECTIONS })
	const statuses: Record<number, number> = {}
	const call = async (index: number) => {
		const headers = { authorization: `Bearer ${tokenOf(index)}` }
		const { statusCode, headers: answered, body } = await pool.request({ method: 'GET', path, headers })
		await body.dump()
		statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
		if (statusCode === 429) assert.match(String(answered['retry-after']), /^[1-9]\d*$/)
	}
	await Promise.all(Array.from({ length: count }, (_, index) => call(index)))
	await pool.close()
	return statuses
}

/** Calls one screen after the other, and /readyz, until `work` ends. Returns the statuses. */
async function beside(work: Promise<unknown>): Promise<Set<number>> {
	const { token } = await app.signIn('user')
	const statuses = new Set<number>()
	const ended = new AbortController()
	const end = () => ended.abort()
	void work.then(end, end)
	while (!ended.signal.aborted) {
		for (const path of ['/api/notifications', '/readyz']) {
			const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })
			await answer.arrayBuffer()
			statuses.add(answer.status)
		}
	}
	return statuses
}

test('calls with made-up keys and session tokens get 401 or 429, and calls of others from the same network 200', async () => {
	for (const [path, tokenOf] of [
		['/v1/balance', (index: number) => `wbm_${index + 1}_${secret()}`],
		['/api/notifications', secret],
	] as const) {
		const flooding = flood(path, MADE_UP, tokenOf)
		assert.deepEqual(await beside(flooding), new Set([200]), path)
		const { 401: unknown = 0, 429: refused = 0, ...others } = await flooding
		assert.deepEqual([others, unknown + refused], [{}, MADE_UP], path)
		assert.ok(unknown >= 1000 && refused > 0, `${unknown} unknown, ${refused} refused`)
	}
})

test('concurrent calls with one key get 200 or 429, calls with a revoked key 401, and calls of others 200', async () => {
	const { id, token } = await apiKey(app.context.db, await app.signIn('user'))
	const flooding = flood('/v1/balance', OF_ONE_KEY, () => token)
	assert.deepEqual(await beside(flooding), new Set([200]))
	const { 200: served = 0, 429: refused = 0, ...others } = await flooding
	assert.deepEqual([others, served + refused], [{}, OF_ONE_KEY])
	assert.ok(served > 0)
	await app.context.db`delete from api_keys where id = ${id}`
	assert.deepEqual(await flood('/v1/balance', OF_ONE_KEY, () => token), { 401: OF_ONE_KEY })
})

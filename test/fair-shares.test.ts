import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auth } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { LIVE_PATH } from '#lib/live.ts'
import { transaction } from '#lib/server/db.ts'
import { account, contact, template } from './factories.ts'
import { launchTestApp } from './http-app.ts'
import { until } from './until.ts'

const app = await launchTestApp({ env: { ACCOUNT_STREAMS: '24', ACCOUNT_CALLS: '2' } })

const BYSTANDER_INTERVAL_MS = 25
/** Rows of a file. 22 files keep the server busy for seconds. */
const ROWS = 16_000
const LARGE_FILE = `Name,Mobile\n${Array.from({ length: ROWS }, (_, row) => `Asha Rao,9${800_000_000 + row}`).join('\n')}`

test('22 campaigns from files of 16,000 rows that an empty wallet cannot pay return 402 or 429 and write no row, while others are served', async () => {
	const { db } = app.context
	const [poor, other] = [await app.signIn('user'), await app.signIn('user')]
	const { templateId } = await template(db, poor.accountId)
	const body = {
		name: 'From a file',
		templateId,
		variables: JSON.stringify({ var1: '{{Name}}' }),
		audienceType: 'file' as const,
	}
	const create = () => app.call(campaigns.create, { body, files: { file: new File([LARGE_FILE], 'people.csv') } }, poor)
	const over = new AbortController()
	const bystander = (async () => {
		const statuses = new Set<number>()
		while (!over.signal.aborted) {
			statuses.add((await app.call(contacts.list, {}, other)).status)
			statuses.add((await app.call(wallet.balance, {}, other)).status)
			// A person's pause: without it the requests of the bystander would be most of the work.
			await sleep(BYSTANDER_INTERVAL_MS)
		}
		return statuses
	})()
	const answers = await Promise.all(Array.from({ length: 22 }, create))
	over.abort()
	assert.deepEqual([...(await bystander)], [200])
	assert.deepEqual(
		answers
			.filter(({ status }) => status !== 402 && status !== 429)
			.map((answer) => [answer.status, answer.body.message]),
		[],
	)
	const refused = answers.find(({ status }) => status === 402)
	assert.match(refused?.body.message ?? '', /needs ₹16,000\.00, but the wallet has ₹0\.00/)
	const [row] = await db<{ isCalled: boolean }[]>`select is_called as "isCalled" from campaigns_id_seq`
	assert.equal(row?.isCalled, false, 'a campaign was written and rolled back')
})

/** Keeps the responses: an unreferenced response is collected together with its stream. */
const streams: Response[] = []

async function openStream(token: string, signal: AbortSignal): Promise<Response> {
	const response = await fetch(app.url + LIVE_PATH, { headers: { authorization: `Bearer ${token}` }, signal })
	streams.push(response)
	return response
}

test('a session may have 20 event streams and its account 24; one more returns 429 with Retry-After until another closes', async () => {
	const person = await app.signIn('user')
	const { body } = await app.call(auth.login, { body: { email: person.email, password: person.password } })
	const [last, rest] = [new AbortController(), new AbortController()]
	assert.equal((await openStream(person.token, last.signal)).status, 200)
	for (let tab = 1; tab < 20; tab++) assert.equal((await openStream(person.token, rest.signal)).status, 200)
	const refused = await openStream(person.token, rest.signal)
	assert.equal(refused.status, 429)
	assert.equal(refused.headers.get('retry-after'), '30')
	for (let tab = 0; tab < 4; tab++) assert.equal((await openStream(body.token, rest.signal)).status, 200)
	assert.equal((await openStream(body.token, rest.signal)).status, 429)
	last.abort()
	await until(async () => (await openStream(person.token, rest.signal)).status === 200)
	rest.abort()
})

test('an account with more concurrent requests than may wait gets 429 for the excess, and is served again afterwards', async () => {
	const { db } = app.context
	const person = await account(app.context)
	await contact(db, person.accountId)
	const list = () => app.call(contacts.list, {}, person)
	// No call ends while its table is locked.
	const answers = await transaction(db, async (sql) => {
		await sql`lock table contacts`
		const waiting = Array.from({ length: 502 }, list)
		const refused = await Promise.race([...waiting, ...Array.from({ length: 20 }, list)])
		assert.equal(refused.status, 429)
		assert.ok(Number(refused.headers.get('retry-after')) > 0)
		assert.match(refused.body.message ?? '', /Your account may make 2 requests at once, and 500 more are waiting/)
		return waiting
	})
	for (const { status } of await Promise.all(answers)) assert.ok(status === 200 || status === 429)
	assert.equal((await list()).status, 200)
})

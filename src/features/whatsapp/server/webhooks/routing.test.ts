import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { routeDelivery } from './routing.ts'
import { SenderDirectory } from './sender-directory.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

let numbers = 0
const newNumber = () => `91980000${String(++numbers).padStart(4, '0')}`

type Sender = Awaited<ReturnType<typeof sender>>

/** Creates an account with a sender; with `sibling`, its number belongs to the same WABA. */
async function sender({ sibling, secret }: { sibling?: Sender; secret?: string } = {}) {
	const shop = await app.signIn('user')
	const made = await app.simulator.control.createAccount({
		phone: newNumber(),
		...(sibling && { wabaId: sibling.waba_id }),
	})
	const body = { ...made, ...(secret !== undefined && { app_secret: secret }) }
	const saved = await app.call(whatsapp.saveCredentials, { params: { userId: shop.userId }, body }, admin)
	assert.equal(saved.status, 200, saved.body.message)
	return { ...body, accountId: shop.accountId, url: saved.body.credentials.webhookUrl }
}

/** Posts this body to the sender's address with a valid signature. */
async function post(to: Pick<Sender, 'url' | 'app_secret'>, body: string): Promise<number> {
	const signature = `sha256=${createHmac('sha256', to.app_secret).update(body).digest('hex')}`
	const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
	return (await fetch(to.url, { method: 'POST', headers, body })).status
}

const statuses = ({ phone_number_id }: { phone_number_id: string }, id: string) => ({
	field: 'messages',
	value: { messaging_product: 'whatsapp', metadata: { phone_number_id }, statuses: [{ id, status: 'sent' }] },
})

const inbound = ({ phone_number_id }: { phone_number_id: string }, id: string) => ({
	field: 'messages',
	value: { metadata: { phone_number_id }, messages: [{ id, from: '919812345678' }] },
})

const delivery = (waba: string, ...changes: unknown[]) => ({
	object: 'whatsapp_business_account',
	entry: [{ id: waba, changes }],
})

async function storedFor({ accountId }: Pick<Sender, 'accountId'>): Promise<{ body: string; why: string | null }[]> {
	const rows = await app.context.db<{ body: string; why: string | null }[]>`
		select body, kept_because as why from webhook_deliveries where account_id = ${accountId} order by id
	`
	return [...rows]
}

test('a webhook with changes of two accounts of one WABA is split between them', async () => {
	const first = await sender()
	const second = await sender({ sibling: first })
	const [ofFirst, ofSecond] = [statuses(first, 'wamid.1'), statuses(second, 'wamid.2')]
	assert.equal(await post(second, JSON.stringify(delivery(first.waba_id, ofFirst, ofSecond, ofFirst))), 200)
	const expected = delivery(first.waba_id, ofFirst, ofFirst)
	assert.deepEqual(
		(await storedFor(first)).map(({ body }) => JSON.parse(body) as unknown),
		[expected],
	)
	assert.deepEqual(
		(await storedFor(second)).map(({ body }) => JSON.parse(body) as unknown),
		[delivery(first.waba_id, ofSecond)],
	)
})

test('statuses of both accounts of a WABA arrive when Meta knows only the second account’s address', async () => {
	const first = await sender()
	const second = await sender({ sibling: first })
	const { control } = app.simulator
	for (const { phone_number_id } of [first, second]) {
		await control.sendInbound({ phone_number_id, from: '919812345678' })
	}
	await until(async () => (await storedFor(first)).length + (await storedFor(second)).length === 2)
	for (const each of [first, second]) {
		const [stored, ...more] = await storedFor(each)
		assert.match(stored?.body ?? '', new RegExp(each.phone_number_id))
		assert.equal(more.length, 0)
	}
})

test('a webhook that is entirely for another account is stored there byte for byte', async () => {
	const first = await sender()
	const second = await sender({ sibling: first })
	const body = `${JSON.stringify(delivery(first.waba_id, statuses(first, 'wamid.J\u00fc')))} \n`
	assert.equal(await post(second, body), 200)
	assert.deepEqual(await storedFor(first), [{ body, why: null }])
	assert.deepEqual(await storedFor(second), [])
})

test('a change without a number goes to every account of its WABA, and long ids keep their digits', async () => {
	const first = await sender()
	const second = await sender({ sibling: first })
	const stranger = await sender()
	const change = '{"field":"message_template_status_update","value":{"message_template_id":79101031148972131}}'
	const other = JSON.stringify(statuses(second, 'wamid.3'))
	const body = `{"entry":[{"id":"${first.waba_id}","changes":[${change},${other}]}]}`
	assert.equal(await post(second, body), 200)
	assert.deepEqual(await storedFor(first), [
		{ body: `{"entry":[{"id":"${first.waba_id}","changes":[${change}]}]}`, why: null },
	])
	assert.deepEqual(await storedFor(second), [
		{ body: `{"entry":[{"id":"${first.waba_id}","changes":[${change}]}]}`, why: null },
		{ body: `{"entry":[{"id":"${first.waba_id}","changes":[${other}]}]}`, why: null },
	])
	assert.deepEqual(await storedFor(stranger), [])
})

test('statuses of a number also go to the account that had it before, customers’ messages only to the current one', async () => {
	const former = await sender()
	const present = await sender({ sibling: former })
	await app.context.db`
		insert into former_numbers (account_id, phone_number_id) values (${former.accountId}, ${present.phone_number_id})
	`
	const report = JSON.stringify(delivery(present.waba_id, statuses(present, 'wamid.6')))
	const text = JSON.stringify(delivery(present.waba_id, inbound(present, 'wamid.7')))
	assert.equal(await post(present, report), 200)
	assert.equal(await post(former, text), 200)
	assert.deepEqual(await storedFor(former), [{ body: report, why: null }])
	assert.deepEqual(await storedFor(present), [
		{ body: report, why: null },
		{ body: text, why: null },
	])
})

test('a change for an account whose app secret does not match becomes a dead letter and affects no account', async () => {
	const victim = await sender()
	const forger = await sender({ sibling: victim, secret: 'another app' })
	const own = statuses(forger, 'wamid.4')
	assert.equal(await post(forger, JSON.stringify(delivery(victim.waba_id, statuses(victim, 'wamid.5'), own))), 200)
	assert.deepEqual(await storedFor(victim), [])
	const why = `number ${victim.phone_number_id}: the signature is not valid for the app secret of its account`
	assert.deepEqual(
		(await storedFor(forger)).map((stored) => stored.why),
		[why, null],
	)
	// A change of the WABA that is not signed for the other account becomes a dead letter too.
	assert.equal(
		await post(forger, JSON.stringify(delivery(victim.waba_id, { field: 'account_update', value: {} }))),
		200,
	)
	assert.deepEqual(await storedFor(victim), [])
	assert.equal((await storedFor(forger)).length, 3)
})

test('changes for an unknown number or WABA become dead letters, one row per reason', async () => {
	const only = await sender()
	const unknown = { phone_number_id: '123456123' }
	const body = delivery('0', inbound(unknown, 'a'), inbound(only, 'b'), inbound(unknown, 'c'), { field: 'x' })
	assert.equal(await post(only, JSON.stringify(body)), 200)
	const whys = (await storedFor(only)).map(({ why }) => why)
	assert.deepEqual(whys, ['number 123456123: no account has it', null, 'waba 0: no account has it'])
})

async function droppedFor({ accountId }: Pick<Sender, 'accountId'>): Promise<number> {
	const [row] = await app.context.db<{ dropped: number }[]>`
		select dropped_count as dropped from webhook_totals where account_id = ${accountId}
	`
	return row?.dropped ?? 0
}

test('statuses of unknown numbers are counted and dropped, and the rest of their webhook is stored', async () => {
	const only = await sender()
	const unknown = { phone_number_id: '123456124' }
	const foreign = statuses(unknown, 'wamid.a')
	assert.equal(await post(only, JSON.stringify(delivery(only.waba_id, foreign, foreign))), 200)
	assert.deepEqual(await storedFor(only), [])
	const own = statuses(only, 'wamid.b')
	assert.equal(await post(only, JSON.stringify(delivery(only.waba_id, foreign, own, inbound(unknown, 'c')))), 200)
	assert.deepEqual(await storedFor(only), [
		{ body: JSON.stringify(delivery(only.waba_id, own)), why: null },
		{
			body: JSON.stringify(delivery(only.waba_id, inbound(unknown, 'c'))),
			why: 'number 123456124: no account has it',
		},
	])
	await until(async () => (await droppedFor(only)) === 3)
	const metrics = await (await fetch(`${app.url}/metrics`)).text()
	assert.match(metrics, /^webhook_statuses_dropped [3-9]/m)
})

test('statuses that arrive just after their number was saved, or moved to another account, reach that account', async () => {
	const address = await sender()
	const later = await app.simulator.control.createAccount({ phone: newNumber(), wabaId: address.waba_id })
	const former = await sender({ sibling: address })
	const moved = await app.simulator.control.createAccount({ phone: newNumber(), wabaId: address.waba_id })
	await app.context.db`
		insert into former_numbers (account_id, phone_number_id) values (${former.accountId}, ${moved.phone_number_id})
	`
	for (const number of [later, moved]) {
		const report = () => JSON.stringify(delivery(address.waba_id, statuses(number, `wamid.${randomUUID()}`)))
		assert.equal(await post(address, report()), 200)
		const shop = await app.signIn('user')
		const body = { ...number, app_secret: address.app_secret }
		const saved = await app.call(whatsapp.saveCredentials, { params: { userId: shop.userId }, body }, admin)
		assert.equal(saved.status, 200, saved.body.message)
		const text = report()
		assert.equal(await post(address, text), 200)
		assert.deepEqual(await storedFor(shop), [{ body: text, why: null }])
	}
	assert.equal((await storedFor(former)).length, 2)
})

test('changes of messages and of an account in one webhook are stored as two webhooks', async () => {
	const only = await sender()
	const change = { field: 'account_update', value: { event: 'ACCOUNT_DELETED' } }
	const report = statuses(only, 'wamid.8')
	assert.equal(await post(only, JSON.stringify(delivery(only.waba_id, report, change, inbound(only, 'd')))), 200)
	assert.deepEqual(
		(await storedFor(only)).map(({ body, why }) => [JSON.parse(body) as unknown, why]),
		[
			[delivery(only.waba_id, report, inbound(only, 'd')), null],
			[delivery(only.waba_id, change), null],
		],
	)
})

test('a signed JSON body of any shape is stored and answered with 200', async () => {
	const only = await sender()
	const bodies = [
		'null',
		'[]',
		'"text"',
		'{}',
		'{"entry":null}',
		'{"entry":[null,1,"x",{"changes":{}}]}',
		'{"entry":[{"id":{},"changes":[null,{"value":{"metadata":[]}},{"value":{"metadata":{"phone_number_id":{"a":1}}}}]}]}',
		'{"entry":[{"id":"\\u0000","changes":[{"value":{"metadata":{"phone_number_id":"\\ud800"}}}]}]}',
		`{"entry":[{"id":12345678901234567890,"changes":[{"field":"x","value":${'['.repeat(500)}${']'.repeat(500)}}]}]}`,
		'{"entry":[{"id":"5","changes":[{"field":"\\u0000"}]},{"id":"6","changes":[{"value":"\\udfff"}]}]}',
	]
	for (const body of bodies) assert.equal(await post(only, body), 200, body)
	assert.ok((await storedFor(only)).length >= bodies.length)
})

test('a new app secret applies to the first webhook signed with it, once a second has passed', async () => {
	const shop = await app.signIn('user')
	const made = await app.simulator.control.createAccount({ phone: newNumber() })
	const save = async (app_secret: string) => {
		const given = { params: { userId: shop.userId }, body: { ...made, app_secret } }
		const { body } = await app.call(whatsapp.saveCredentials, given, admin)
		return { url: body.credentials.webhookUrl, app_secret }
	}
	const old = await save('the old secret')
	assert.equal(await post(old, '{}'), 200)
	const current = await save('the new secret')
	await until(async () => (await post(current, '{}')) === 200)
	assert.equal(await post(old, '{}'), 401)
})

test('findByKey looks up at most two hundred unknown keys per second, and known ones without a limit', async () => {
	const known = await sender()
	const key = known.url.split('/').at(-1) ?? ''
	const directory = new SenderDirectory(app.context.db)
	assert.equal((await directory.findByKey(key))?.accountId, known.accountId)
	const guesses = Array.from({ length: 300 }, (_, index) => `${known.accountId}-${index}`)
	const found = await Promise.allSettled(guesses.map(async (guess) => directory.findByKey(guess)))
	assert.equal(found.filter(({ status }) => status === 'fulfilled').length, 199)
	assert.equal((await directory.findByKey(key))?.accountId, known.accountId)
})

test('a status for a number that an account used before its credentials changed is still processed', async () => {
	const former = await sender()
	const other = await app.simulator.control.createAccount({ phone: newNumber(), wabaId: former.waba_id })
	const [user] = await app.context.db<
		{ id: string }[]
	>`select id::text from users where account_id = ${former.accountId}`
	const body = { ...other, app_secret: former.app_secret }
	await app.call(whatsapp.saveCredentials, { params: { userId: user?.id ?? '' }, body }, admin)
	// A new directory, as in a process that has not cached the sender.
	const directory = new SenderDirectory(app.context.db)
	const address = await directory.findByKey(former.url.split('/').at(-1) ?? '')
	assert.ok(address)
	const text = JSON.stringify(delivery(former.waba_id, statuses(former, 'wamid.late')))
	const { deliveries } = await routeDelivery({ text, address, isSignedFor: () => true }, directory)
	assert.equal(deliveries[0]?.deadLetterReason, null)
})

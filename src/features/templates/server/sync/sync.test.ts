import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifications } from '#features/notifications/contract.ts'
import { templates } from '#features/templates/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { readNumberDaily } from '#features/whatsapp/server/meta-check.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { template, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { getTemplate, upsertTemplates } from '../service.ts'
import { applyTemplateChange } from './changes.ts'
import { syncDueTemplates } from './hourly-sync.ts'
import { syncTemplates } from './sync.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

/** Creates a user with a sender at the simulator. */
async function connected() {
	const person = await app.signIn('user')
	const given = await app.simulator.control.createAccount()
	await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body: given }, admin)
	return { person, shop: person.accountId, ...given }
}

const body = (text: string) => [{ type: 'BODY' as const, text }]

async function addMany(waba_id: string, count: number): Promise<void> {
	for (let n = 0; n < count; n++) {
		await app.simulator.control.addTemplate({
			waba_id,
			name: `t_${n}`,
			components: body(`This is number ${n} of many`),
		})
	}
}

const fault = (given: object) => app.simulator.control.addFault({ call: 'message_templates', ...given } as Fault)
const list = async (person: TestAccount, query: object = {}) =>
	(await app.call(templates.list, { query: query as never }, person)).body
const sync = (shop: TestAccount['accountId']) => syncTemplates(app.context, shop)
const notesOf = async (person: TestAccount) =>
	(await app.call(notifications.list, {}, person)).body.notifications.map(({ text }) => text)

test('an interrupted sync of 6,000 templates marks nothing as gone, and a repeated one completes the result', async () => {
	const { person, shop, waba_id } = await connected()
	await template(app.context.db, shop, { name: 'gone', language: 'en_US' })
	await addMany(waba_id, 6000)
	for (const given of [
		{ kind: 'error', code: 2, status: 503 },
		{ kind: 'drop', accepted: false },
		{ kind: 'server-error', accepted: false },
	]) {
		await fault({ ...given, skip: 11, times: 1 })
		await assert.rejects(sync(shop), { status: 502, message: 'Failed to sync templates' })
		assert.equal((await list(person, { status: 'GONE' })).total, 0)
	}
	assert.equal(await sync(shop), 6000)
	const { total, templates: first } = await list(person)
	assert.deepEqual([total, first[0]?.name, first[1]?.name], [6001, 't_5999', 't_5998'])
	assert.deepEqual(
		(await list(person, { status: 'GONE' })).templates.map(({ name }) => name),
		['gone'],
	)
	assert.equal(await sync(shop), 6000)
	assert.equal((await list(person)).templates[0]?._id, first[0]?._id)
})

test('a sync of 12,000 templates stores all of them', async () => {
	const { person, shop, waba_id } = await connected()
	await addMany(waba_id, 12_000)
	assert.equal(await sync(shop), 12_000)
	const { total, languages } = await list(person)
	assert.deepEqual([total, languages], [12_000, ['en_US']])
	const [row] = await app.context.db<{ names: number }[]>`
		select count(distinct name) as names from templates where account_id = ${shop} and gone_at is null
	`
	assert.equal(row?.names, 12_000)
})

test('a sync restarts the list for an expired cursor, and requests smaller pages when one is too large', async () => {
	const { person, shop, waba_id } = await connected()
	await addMany(waba_id, 900)
	await fault({ kind: 'error', code: 131059, skip: 2, times: 1 })
	await fault({ kind: 'error', code: 1, status: 500, skip: 4, times: 1 })
	assert.equal(await sync(shop), 900)
	assert.equal((await list(person)).total, 900)
	await fault({ kind: 'error', code: 131059, skip: 1 })
	await assert.rejects(sync(shop), { status: 502 })
	await app.simulator.control.clearFaults()
})

test('concurrent syncs of one account have the result of one', async () => {
	const { person, shop, waba_id } = await connected()
	await addMany(waba_id, 1500)
	await template(app.context.db, shop, { name: 'gone', language: 'en_US' })
	assert.deepEqual(await Promise.all([sync(shop), sync(shop), sync(shop)]), [1500, 1500, 1500])
	assert.deepEqual([(await list(person)).total, (await list(person, { status: 'GONE' })).total], [1501, 1])
})

async function attemptOf(shop: TestAccount['accountId']): Promise<number> {
	const [row] = await app.context.db<{ at: Date }[]>`
		select attempted_at as at from template_syncs where account_id = ${shop}
	`
	return row?.at.getTime() ?? 0
}

test('a sync keeps a change by webhook that arrived during it', async () => {
	const { shop, waba_id } = await connected()
	const { control } = app.simulator
	const { id } = await control.addTemplate({
		waba_id,
		name: 'offer',
		status: 'PENDING',
		components: body('Sale today!'),
	})
	await sync(shop)
	await fault({ kind: 'delay', ms: 400, accepted: true, times: 1 })
	const lastAttempt = await attemptOf(shop)
	const syncing = sync(shop)
	const value = { event: 'APPROVED', message_template_name: 'offer', message_template_language: 'en_US' }
	const field = 'message_template_status_update'
	await until(async () => (await attemptOf(shop)) > lastAttempt)
	await applyTemplateChange(app.context.db, shop, { field, value, onTemplateMoved: app.context.onTemplateMoved })
	await syncing
	assert.equal((await getTemplate(app.context.db, shop, id)).status, 'APPROVED')
	await sync(shop)
	assert.equal((await getTemplate(app.context.db, shop, id)).status, 'PENDING')
})

test('a sync stores every field, preserves unknown components and statuses, and notifies of changes', async () => {
	const { person, shop, waba_id } = await connected()
	const { control } = app.simulator
	const components = [
		{
			type: 'BODY',
			text: 'Hi {{first_name}}, welcome',
			example: { body_text_named_params: [] },
			odd: { deep: [1, null] },
		},
		{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon over', has_expiration: true } },
	]
	const { id } = await control.addTemplate({
		waba_id,
		name: 'odd',
		components,
		parameter_format: 'NAMED',
		quality: 'RED',
	})
	const rejected = await control.addTemplate({ waba_id, name: 'bad', status: 'REJECTED', components: body('x y') })
	await sync(shop)
	const odd = await getTemplate(app.context.db, shop, id)
	assert.deepEqual([odd.components, odd.parameterFormat, odd.quality], [components, 'NAMED', 'LOW'])
	assert.equal((await getTemplate(app.context.db, shop, rejected.id)).rejectedReason, 'INVALID_FORMAT')
	const known = (await notesOf(person)).length
	await control.disableTemplate({ id })
	await control.recategoriseTemplate({ id, category: 'UTILITY' })
	await control.recategoriseTemplate({ id, category: 'AUTHENTICATION', impending: true })
	await sync(shop)
	await sync(shop)
	const now = await getTemplate(app.context.db, shop, id)
	assert.deepEqual(
		[now.status, now.category, now.previousCategory, now.correctCategory],
		['DISABLED', 'UTILITY', 'MARKETING', 'AUTHENTICATION'],
	)
	const notes = (await notesOf(person)).slice(0, -known)
	assert.equal(notes.length, 3, notes.join('\n'))
	assert.match(notes.join('\n'), /"Odd" is now UTILITY, not MARKETING/)
	assert.match(notes.join('\n'), /"Odd" was disabled/)
	assert.match(notes.join('\n'), /"Odd".* AUTHENTICATION/)
})

test('a sync keeps a detected category that Meta’s list does not mention, until the category or the text changes', async () => {
	const { shop, waba_id } = await connected()
	const { control } = app.simulator
	const { id } = await control.addTemplate({
		waba_id,
		name: 'order',
		category: 'UTILITY',
		components: body('Order sent'),
	})
	await sync(shop)
	const described = async () => {
		const {
			id: _id,
			headerFile: _file,
			goneAt: _gone,
			createdAt: _at,
			...known
		} = await getTemplate(app.context.db, shop, id)
		return { ...known, correctCategory: null, keepsCorrectCategory: true }
	}
	const warn = () =>
		app.context.db`update templates set correct_category = 'MARKETING' where account_id = ${shop} and name = 'order'`
	const after = async (change: object) => {
		await warn()
		await upsertTemplates(app.context.db, shop, [{ ...(await described()), ...change }])
		return (await getTemplate(app.context.db, shop, id)).correctCategory
	}
	assert.equal(await after({}), 'MARKETING')
	assert.equal(await after({ keepsCorrectCategory: false }), null)
	assert.equal(await after({ components: body('Another text') }), null)
	assert.equal(await after({ category: 'MARKETING' }), null)
})

test('a sync notifies once of an announced category and of low quality, as webhooks do', async () => {
	const { person, shop, waba_id } = await connected()
	const { control } = app.simulator
	const { id } = await control.addTemplate({
		waba_id,
		name: 'order',
		category: 'UTILITY',
		components: body('Order sent'),
	})
	await sync(shop)
	const known = (await notesOf(person)).length
	await control.recategoriseTemplate({ id, category: 'MARKETING', impending: true })
	await control.setTemplateQuality({ id, quality: 'RED' })
	await sync(shop)
	await sync(shop)
	const notes = (await notesOf(person)).slice(0, -known)
	assert.equal(notes.length, 2, notes.join('\n'))
	assert.match(notes.join('\n'), /"Order".*MARKETING/)
	assert.match(notes.join('\n'), /"Order" has low quality now/)
	assert.equal((await getTemplate(app.context.db, shop, id)).category, 'UTILITY')
})

test('templates.list filters and searches in the database, and counts the matches', async () => {
	const { person, shop } = await connected()
	const { db } = app.context
	await template(db, shop, { name: 'sale_a', language: 'hi' })
	await template(db, shop, { name: 'sale_b', status: 'REJECTED', category: 'UTILITY' })
	await template(db, shop, { name: 'order', category: 'UTILITY' })
	const found = async (query: object) => {
		const { templates: rows, total } = await list(person, query)
		assert.equal(total, rows.length)
		return rows.map(({ name }) => name)
	}
	assert.deepEqual(await found({ status: 'APPROVED' }), ['order', 'sale_a'])
	assert.deepEqual(await found({ category: 'UTILITY' }), ['order', 'sale_b'])
	assert.deepEqual(await found({ category: 'UTILITY', status: 'APPROVED' }), ['order'])
	assert.deepEqual(await found({ language: 'hi', search: 'SALE' }), ['sale_a'])
	assert.deepEqual(await found({ status: "' or true --" }), [])
	assert.deepEqual((await list(person)).languages, ['en', 'hi'])
})

test('the hourly sync syncs accounts whose last attempt is an hour old, and a failing one stops no other', async () => {
	const { db } = app.context
	const [fresh, due, broken] = [await connected(), await connected(), await connected()]
	for (const { waba_id } of [fresh, due, broken]) await addMany(waba_id, 3)
	await db`update template_syncs set attempted_at = now()`
	const setAttempted = (shop: number, minutes: number) => db`
		insert into template_syncs (account_id, attempted_at) values (${shop}, now() - ${`${minutes} minutes`}::interval)
		on conflict (account_id) do update set attempted_at = excluded.attempted_at
	`
	await setAttempted(fresh.shop, 59)
	await setAttempted(due.shop, 61)
	await setAttempted(broken.shop, 70)
	await app.simulator.control.rejectToken({ token: broken.access_token })
	await db`update senders set messages_per_second = 1000, checked_at = now() - interval '25 hours' where account_id = ${due.shop}`
	// Encrypted with another key, so decrypting throws.
	const unreadable = await connected()
	await db`update senders set access_token_sealed = '\\x00' where account_id = ${unreadable.shop}`
	const readNumber = (accountId: AccountId) => readNumberDaily(app.context, accountId)
	await syncDueTemplates({ ...app.context, readNumber }, new AbortController().signal)
	const counts = await Promise.all([fresh, due, broken].map(async ({ person }) => (await list(person)).total))
	assert.deepEqual(counts, [0, 3, 0])
	const waiting = await db`select 1 from template_syncs where attempted_at < now() - interval '1 hour'`
	assert.equal(waiting.length, 0)
	const [asked] = await db<{ pace: number }[]>`
		select messages_per_second as pace from senders where account_id = ${due.shop}
	`
	assert.equal(asked?.pace, 80, 'the pace that Meta grants is read once a day')
	const { lastSyncedAt } = await list(due.person)
	assert.ok(lastSyncedAt)
	assert.equal((await list(broken.person)).lastSyncedAt, null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from '#features/audiences/segment-contract.ts'
import { findCap, listWrittenEnough } from '#features/audiences/server/recipients/frequency-queries.ts'
import { listLatest } from '#features/audiences/server/segments/rule-queries.ts'
import { countSegment } from '#features/audiences/server/segments/segment-count-queries.ts'
import { readRules } from '#features/audiences/server/segments/segments.ts'
import { lockContacts } from '#features/contacts/server/contacts/join-queries.ts'
import { lockOptOuts, writeOptOutChanges } from '#features/contacts/server/opt-outs/opt-out-queries.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { privacy } from '#features/privacy/contract.ts'
import { transaction, type Sql } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { launchTestApp } from '#test/http-app.ts'
import { A, B, C, NEW, NOW, OLD, changedPeople, moved, renewed, text } from '#test/scenes/changed-people.ts'
import { untilLocked } from '#test/until.ts'
import { lockChats } from '../join-chat-queries.ts'
import { receiveEchoes } from '../phone-app/receive-echoes.ts'
import { attributeReplies } from '../replies/replies.ts'

const app = await launchTestApp()
const { db } = app.context
const skip = (await isDistributed(db)) && 'on a cluster the locks are those of its workers'
const { newShop, add, campaignTo } = changedPeople(app)

const secondsAgo = (ago: number) => new Date((NOW - ago) * 1000)
const echo = (to: string, body: string, ago: number) => ({
	metadata: { display_phone_number: '919800000000' },
	message_echoes: [
		{ from: '919800000000', to, id: `wamid.${body}`, timestamp: String(NOW - ago), type: 'text', text: { body } },
	],
})

test('a late change of number leaves the next owner’s chat, contact and opt-out, and moves what was written before', async () => {
	const shop = await newShop()
	await shop.take(text(A, 'Asha writes', { ago: 90 }), text(A, 'STOP', { ago: 30 }))
	await add(shop.accountId, 'Ravi', A)
	await db`update chats set assigned_to = ${shop.userId}, closed_at = now() where account_id = ${shop.accountId}`
	await shop.take(moved(A, B, 60))
	assert.deepEqual(await shop.keys(), [A, B])
	assert.deepEqual([await shop.texts(A), await shop.texts(B)], [['STOP'], ['Asha writes', 'Changed']])
	assert.deepEqual([await shop.contacts(), await shop.optedOut()], [[[A, 'Ravi', true]], [A]])
	const rows = await db`
		select last_line as line, assigned_to::text as person, closed_at is null as "isOpen"
		from chats where account_id = ${shop.accountId} order by key
	`
	assert.deepEqual(
		rows.map(({ line, person, isOpen }) => [line, person, isOpen]),
		[
			['STOP', null, true],
			['Changed', shop.userId, true],
		],
	)
})

test('the contact that an account had before a late change follows the person, although the number’s next owner has written', async () => {
	const shop = await newShop()
	await add(shop.accountId, 'Asha', A)
	await db`update contacts set created_at = ${secondsAgo(5000)} where account_id = ${shop.accountId}`
	await shop.take(text(A, 'Ravi writes', { ago: 30 }))
	await shop.take(moved(A, B, 60))
	assert.deepEqual([await shop.keys(), await shop.contacts()], [[A, B], [[B, 'Asha', false]]])
})

test('an echo to a former number joins the person’s present chat when written before the change, and the next owner’s chat when written after it', async () => {
	const { accountId, take, texts, keys } = await newShop()
	await take(text(A, 'Hello', { ago: 90 }), moved(A, B, 60))
	const values = [echo(A, 'Typed before', 80), echo(A, 'Typed after', 30)]
	await transaction(db, (sql) => receiveEchoes(sql, accountId, values))
	assert.deepEqual(await keys(), [A, B])
	assert.deepEqual(await texts(B), ['Hello', 'Typed before', 'Changed'])
	assert.deepEqual(await texts(A), ['Typed after'])
})

test('segments and the frequency rule count messages to a former number for the person, and never for its next owner', async () => {
	const shop = await newShop()
	const { accountId } = shop
	await add(accountId, 'Asha', A)
	const campaign = await campaignTo(accountId, [A], 3600)
	await db`insert into campaign_replies (account_id, campaign_id, seq, replied_at) values (${accountId}, ${campaign}, 1, now())`
	await db`
		insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
		values (${accountId}, ${campaign}, 1, 'c1', 0, true, now())
	`
	await shop.take(moved(A, B, 60))
	await add(accountId, 'Ravi', A)
	const asked = { campaign: String(campaign), days: undefined }
	const rules: [Rule, string][] = [
		[{ kind: 'neverWritten', is: true }, 'Ravi'],
		[{ kind: 'neverWritten', is: false }, 'Asha'],
		...(['received', 'read', 'replied', 'clicked'] as const).flatMap((kind): [Rule, string][] => [
			[{ kind, is: true, ...asked }, 'Asha'],
			[{ kind, is: false, ...asked }, 'Ravi'],
			[{ kind, is: true, campaign: undefined, days: 7 }, 'Asha'],
		]),
	]
	for (const [rule, name] of rules) {
		const segment = await readRules(db, accountId, { match: 'all', rules: [rule] })
		const latest = await listLatest(db, accountId, { segment, limit: 10 })
		const count = await countSegment(db, accountId, segment)
		assert.deepEqual([count, latest.map(({ firstName }) => firstName)], [1, [name]], JSON.stringify(rule))
	}
	const cap = await findCap(db, accountId, { messages: 1, days: 7, opensAt: null, except: null })
	assert.deepEqual(await listWrittenEnough(db, accountId, { cap, numbers: [A, B] }), [B])
})

test('after a changed user id without a number, the contact at the last number still counts as written to', async () => {
	const { accountId, take } = await newShop()
	await take(text(A, 'Hello', { ago: 9000, from_user_id: OLD }), moved(A, B, 8000))
	await campaignTo(accountId, [A], 8500)
	await campaignTo(accountId, [B], 3600)
	await take(
		text(B, 'Hello', { ago: 100, from_user_id: OLD }),
		renewed({ user_id: NEW, previous_user_id: OLD }, null, 60),
	)
	const cap = await findCap(db, accountId, { messages: 2, days: 7, opensAt: null, except: null })
	assert.deepEqual(await listWrittenEnough(db, accountId, { cap, numbers: [A, B, NEW] }), [B])
})

test('a person who hid the number and shows another one keeps the contact, and an opt-out under the user id spares earlier numbers', async () => {
	const shop = await newShop()
	await add(shop.accountId, 'Asha', A)
	await shop.take(moved(A, B, 8000), text(B, 'Hello', { ago: 7000, from_user_id: OLD }))
	await shop.take(renewed({ user_id: NEW, previous_user_id: OLD }, null, 6000))
	await shop.take(text(A, 'Ravi writes', { ago: 5000 }), text(NEW, 'STOP', { ago: 4000 }))
	assert.deepEqual(await shop.optedOut(), [B, NEW, OLD].toSorted())
	assert.deepEqual(await shop.contacts(), [[B, 'Asha', true]])
	await shop.take(text(C, 'My new number', { ago: 3000, from_user_id: NEW }))
	assert.deepEqual(await shop.contacts(), [[C, 'Asha', true]])
	assert.deepEqual(await shop.keys(), [A, C])
})

test('a reply from the new number counts for a campaign to the former one, and a message of the next owner does not', async () => {
	const { accountId, take } = await newShop()
	const campaign = await campaignTo(accountId, [A], 3600)
	await take(moved(A, B, 1800))
	const repliedAt = async () => {
		await attributeReplies(app.context)
		const rows = await db<{ at: Date | null }[]>`
			select replied_at as at from campaign_replies where account_id = ${accountId} and campaign_id = ${campaign}
		`
		return rows[0]?.at ?? null
	}
	await take(text(A, 'Ravi writes', { ago: 900 }))
	assert.equal(await repliedAt(), null)
	await take(text(B, 'Asha answers', { ago: 600 }))
	assert.equal((await repliedAt())?.getTime(), (NOW - 600) * 1000 + 999)
})

test('export and erasure of a person include messages to a former number, and nothing of its next owner', async () => {
	const shop = await newShop()
	const { accountId } = shop
	await add(accountId, 'Asha', A)
	await campaignTo(accountId, [A], 3600)
	await shop.take(text(A, 'Asha writes', { ago: 3000 }), moved(A, B, 1800))
	await shop.take(text(A, 'Ravi writes', { ago: 900 }))
	await add(accountId, 'Ravi', A)
	await campaignTo(accountId, [A], 600)
	const held = async (number: string) => (await app.call(privacy.person, { query: { number } }, shop)).body.counts
	const counts = ({ contacts, chatMessages, campaignMessages }: Awaited<ReturnType<typeof held>>) => [
		contacts,
		chatMessages,
		campaignMessages,
	]
	assert.deepEqual(counts(await held(B)), [1, 2, 1])
	assert.deepEqual(counts(await held(A)), [1, 1, 1])
	const erased = await app.call(privacy.erase, { body: { number: B } }, shop)
	assert.deepEqual(counts(erased.body.counts), [1, 2, 1])
	assert.deepEqual([await shop.keys(), await shop.contacts()], [[A], [[A, 'Ravi', false]]])
	const rows = await db`
		select number, name from campaign_messages where account_id = ${accountId} order by campaign_id
	`
	assert.match(String(rows[0]?.number), /^erased:/)
	assert.deepEqual([rows[0]?.name, rows[1]?.number, rows[1]?.name], [null, A, `For ${A}`])
	assert.equal((await db`select 1 from former_ids where account_id = ${accountId}`).length, 0)
})

test('export of a person finds messages to a former number that no other person has since', async () => {
	const shop = await newShop()
	await campaignTo(shop.accountId, [A], 3600)
	await shop.take(moved(A, B, 1800))
	const counts = async (number: string) =>
		(await app.call(privacy.person, { query: { number } }, shop)).body.counts.campaignMessages
	assert.deepEqual([await counts(A), await counts(B)], [1, 1])
})

/**
 * Runs a webhook while another transaction holds the locks of `hold`, and lets the other one continue with `finish` as soon as the
 * webhook waits. Both must end.
 */
async function besides(
	webhook: () => Promise<unknown>,
	{ hold, finish }: { hold: (sql: Sql) => Promise<unknown>; finish: (sql: Sql) => Promise<unknown> },
): Promise<void> {
	const held = Promise.withResolvers<void>()
	const other = transaction(db, async (sql) => {
		await hold(sql)
		held.resolve()
		await untilLocked(db)
		await finish(sql)
	})
	await held.promise
	await Promise.all([webhook(), other])
}

test('a change of number and an opt-out of its contact never deadlock', { skip }, async () => {
	const shop = await newShop()
	const { accountId } = shop
	await add(accountId, 'Asha', A)
	await add(accountId, 'Bela', B)
	for (const number of [A, B])
		await setOptOuts(db, accountId, { numbers: [number], optedOut: number === A, because: 'manual' })
	await besides(() => shop.take(moved(A, B, 60)), {
		hold: (sql) => lockOptOuts(sql, accountId, [B]),
		finish: (sql) =>
			writeOptOutChanges(sql, accountId, {
				changed: [{ number: B, optedOut: true, because: 'manual', at: new Date() }],
				others: [],
			}),
	})
	assert.deepEqual(await shop.contacts(), [[B, 'Bela', true]])
})

test('a batch with an opt-out and a change of number locks all opt-outs before contacts', { skip }, async () => {
	const shop = await newShop()
	const { accountId } = shop
	await add(accountId, 'Asha', A)
	await setOptOuts(db, accountId, { numbers: [B], optedOut: false, because: 'manual' })
	await besides(() => shop.take(text(A, 'STOP', { ago: 40 }), moved(C, B, 60)), {
		hold: (sql) => lockOptOuts(sql, accountId, [B]),
		finish: (sql) => lockContacts(sql, accountId, [A]),
	})
	assert.deepEqual(await shop.optedOut(), [A])
})

test('a change of number and a transaction that locks several chats in order never deadlock', { skip }, async () => {
	const shop = await newShop()
	const { accountId } = shop
	await shop.take(text(A, 'Hello', { ago: 90 }), text(B, 'Hello', { ago: 90 }), text(C, 'Hello', { ago: 90 }))
	await besides(() => shop.take(text(C, 'Again', { ago: 40 }), moved(A, B, 60)), {
		hold: (sql) => lockChats(sql, accountId, [B]),
		finish: (sql) => lockChats(sql, accountId, [C]),
	})
	assert.deepEqual(await shop.keys(), [B, C])
})

test(
	'two changes of number and an edit of both contacts in the order of their ids never deadlock',
	{ skip },
	async () => {
		const shop = await newShop()
		const { accountId } = shop
		const D = '919811122094'
		// The contact of the later change has the lower id.
		for (const number of [C, A]) await add(accountId, `Of ${number}`, number)
		await besides(() => shop.take(moved(A, B, 60), moved(C, D, 50)), {
			hold: (sql) => lockContacts(sql, accountId, [C]),
			finish: (sql) => lockContacts(sql, accountId, [A]),
		})
		assert.deepEqual(
			(await shop.contacts()).map(([number]) => number),
			[B, D],
		)
	},
)

test('a change into a number that an import adds at the same moment merges both contacts', { skip }, async () => {
	const shop = await newShop()
	const { accountId } = shop
	await add(accountId, 'Asha', A)
	await besides(() => shop.take(moved(A, B, 60)), {
		hold: async (sql) => {
			await sql`
				insert into contacts (account_id, first_name, number, search_text)
				values (${accountId}, 'Imported', ${B}, 'imported')
			`
		},
		finish: async () => {},
	})
	assert.deepEqual(await shop.contacts(), [[B, 'Imported', false]])
})

test('the marks of a chat are found by an index', async () => {
	const plan = await transaction(db, async (sql) => {
		await sql`set local enable_seqscan = off`
		return sql<{ 'QUERY PLAN': string }[]>`
			explain update chat_marks set chat = 'b' where account_id = 1 and chat = 'a'
		`
	})
	assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /chat_marks_chat/)
})

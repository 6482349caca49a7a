import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { findNumbers } from '#features/contacts/server/service.ts'
import { BLOCK_SIZE } from '#features/delivery/rules.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { account, template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { searchMessages } from './search-queries.ts'

/** Number of messages, in more blocks than a search reads before it searches the contacts. */
const COUNT = 12_500
const FAILED = [11_500, 12_100, 12_499]
const NO_FACTS = { wamid: null, errorCode: 131026, error: 'Message undeliverable', isInQualityCheck: false }

const app = await launchTestApp()
// Turns autovacuum off, so that statistics change only when a test analyzes.
await app.context.db`alter table campaign_messages_first set (autovacuum_enabled = false)`
await app.context.db`alter table campaign_blocks_first set (autovacuum_enabled = false)`

/** Creates an unsent campaign to `count` contacts, called Person 1 and so on. */
async function campaignToAll(count: number) {
	const who = await account(app.context, { balancePaise: count * 300 })
	const { templateId } = await template(app.context.db, who.accountId)
	const people = Array.from({ length: count }, (_, at) => ({
		firstName: `Person ${at + 1}`,
		lastName: null,
		number: numberOf(at + 1),
		groupId: null,
	}))
	await insertContacts(app.context.db, who.accountId, people)
	const body = {
		name: 'Festive offer',
		templateId,
		variables: JSON.stringify({ var1: '{{firstName}}' }),
		audienceType: 'all' as const,
	}
	const { status, body: answer } = await app.call(campaigns.create, { body }, who)
	assert.equal(status, 200, answer.message)
	return { who, accountId: who.accountId, id: answer.campaign._id }
}

async function fail(accountId: AccountId, { id, seqs }: { id: string; seqs: number[] }): Promise<void> {
	const updates = seqs.map((seq) => ({
		...NO_FACTS,
		campaignId: Number(id),
		seq,
		status: 'failed' as const,
		at: new Date(),
	}))
	await transaction(app.context.db, (sql) => settle(sql, accountId, { updates, notify: async () => {} }))
}

interface Wanted {
	search: string
	/** The digits of the search, when it can be a part of a number. */
	numberPart?: string
	status?: 'pending' | 'failed'
	page?: number
	/** Returns the numbers of contacts for a search. Without it, the recipients need not be contacts. */
	contactNumbers?: (sql: Sql) => Promise<string[] | null>
}

/** Returns the messages that a search finds, and the number of messages it has read. */
function find(
	{ accountId, id }: { accountId: AccountId; id: string },
	{ page = 1, contactNumbers, ...wanted }: Wanted,
) {
	return transaction(app.context.db, async (sql) => {
		const readBefore = await readRows(sql)
		const { messages, total } = await searchMessages(sql, accountId, {
			status: undefined,
			numberPart: null,
			...wanted,
			page,
			limit: 10,
			campaignId: id,
			total: COUNT,
			contactNumbers: contactNumbers ? () => contactNumbers(sql) : null,
		})
		return { seqs: messages.map(({ seq }) => seq), total, rowsRead: (await readRows(sql)) - readBefore }
	})
}

/** Returns the number of messages that this transaction has read. */
async function readRows(sql: Sql): Promise<number> {
	const [row] = await sql<{ rows: number }[]>`
		select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows
		from pg_stat_xact_user_tables where relname = 'campaign_messages_first'
	`
	return row?.rows ?? 0
}

/** Returns the number of the contact whose message has this `seq`. */
function numberOf(seq: number): string {
	return `91${9_000_000_000 + seq}`
}

const named = (part: string, seqs: number[]) => seqs.filter((seq) => `person ${seq}`.includes(part))
const allSeqs = Array.from({ length: COUNT }, (_, at) => at + 1)
const refuse = () => assert.fail('the contacts were asked')

test('a search finds a message by the name that it was sent to, also after that contact was deleted', async () => {
	const { who, id } = await campaignToAll(3)
	const list = await app.call(contacts.list, { query: { page: 1, limit: 10, search: 'person 2' } }, who)
	await app.call(contacts.remove, { params: { id: list.body.contacts[0]?._id ?? '' } }, who)
	const query = { page: 1, limit: 10, search: 'person 2' }
	const { body } = await app.call(campaigns.refresh, { params: { id }, query }, who)
	assert.deepEqual(
		body.sentMessages.map(({ name }) => name),
		['Person 2'],
	)
})

test('a search reads only blocks that have the status, up to the one that fills its pages, with and without statistics', async () => {
	const campaign = await campaignToAll(COUNT)
	await fail(campaign.accountId, { id: campaign.id, seqs: FAILED })
	for (const isAnalyzed of [false, true]) {
		if (isAnalyzed) await app.context.db`analyze`
		const failed = await find(campaign, { search: 'PERSON 12', status: 'failed', contactNumbers: refuse })
		assert.deepEqual([failed.seqs, failed.total], [[12_100, 12_499], 2])
		assert.ok(failed.rowsRead <= 2 * BLOCK_SIZE, `${failed.rowsRead} rows were read of two blocks`)
		for (const status of ['pending', undefined] as const) {
			const common = await find(campaign, { search: 'person 1', ...(status && { status }), contactNumbers: refuse })
			assert.deepEqual([common.seqs, common.total], [named('person 1', allSeqs).slice(0, 10), 30])
			assert.ok(common.rowsRead <= 2 * BLOCK_SIZE, `${common.rowsRead} rows were read of the first block`)
		}
	}
})

test('a search returns the same messages in the same order whether it goes through the contacts or reads the blocks', async () => {
	const campaign = await campaignToAll(COUNT)
	await fail(campaign.accountId, { id: campaign.id, seqs: FAILED })
	const pending = allSeqs.filter((seq) => !FAILED.includes(seq))
	for (const [text, expected] of [
		[{ search: 'person 124' }, named('person 124', allSeqs)],
		[{ search: '9000010', numberPart: '9000010' }, allSeqs.filter((seq) => numberOf(seq).includes('9000010'))],
	] as const) {
		assert.ok(expected.length > 100)
		for (const contactNumbers of [
			(sql: Sql) => findNumbers(sql, campaign.accountId, text.search),
			async () => null,
			undefined,
		]) {
			const wanted = { ...text, ...(contactNumbers && { contactNumbers }) }
			await assertPages(campaign, wanted, expected)
			await assertPages(
				campaign,
				{ ...wanted, status: 'pending' },
				expected.filter((seq) => pending.includes(seq)),
			)
		}
	}
})

async function assertPages(campaign: { accountId: AccountId; id: string }, wanted: Wanted, expected: number[]) {
	for (const page of [1, 2, 5, 10, 11, 12, 13]) {
		const { seqs, total } = await find(campaign, { ...wanted, page })
		const end = Math.min(expected.length, page * 10 + 20)
		assert.deepEqual([seqs, total], [expected.slice((page - 1) * 10, page * 10), end], `page ${page}`)
	}
}

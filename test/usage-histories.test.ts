import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { STATUS_ORDER, type KnownStatus } from '#features/delivery/rules.ts'
import type { ReportedPricing, StatusUpdate } from '#features/delivery/server/message/status-update.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { readUsage } from '#features/delivery/server/settlement/usage.ts'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS } from '#lib/durations.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { createTestDatabase } from './database.ts'
import { bareAccount, campaignRow } from './factories.ts'

/** Recipients with their markets; the first half gets a campaign's message, the second half a reply. */
const RECIPIENTS = [
	['919810000001', 'IN'],
	['971501234567', 'AE'],
	['IN.13491208655302741918', 'IN'],
	['919810000004', 'IN'],
	['12025550123', 'north-america'],
	['919810000006', 'IN'],
] as const
const OF_CAMPAIGN = 3
/** Midnight in India. */
const MIDNIGHT_MS = Date.now() - (Date.now() % DAY_MS) - 19_800_000

const anyPricing = fc.constantFrom<ReportedPricing | null>(
	null,
	{ category: 'marketing', type: 'regular' },
	{ category: 'service', type: 'free_customer_service' },
	{ category: 'referral_conversion', type: 'free_entry_point' },
	{ category: 'holograms', type: 'rebated' },
)
/** The updates about one message: each status at most once, with or without pricing. */
const anyUpdates = fc.uniqueArray(
	fc.record({
		status: fc.constantFrom<KnownStatus>('sent', 'delivered', 'read', 'failed'),
		pricing: anyPricing,
		/** Seconds since 11 pm in India, so that some updates arrive on the next day. */
		seconds: fc.integer({ min: 0, max: 7200 }),
	}),
	{ selector: ({ status }) => status, maxLength: 4 },
)
const anyHistory = fc.record({
	messages: fc.array(anyUpdates, { minLength: RECIPIENTS.length, maxLength: RECIPIENTS.length }),
	/** Order of the updates, with repetitions, and where their batches end. */
	order: fc.array(fc.record({ at: fc.nat(), endsBatch: fc.boolean() }), { maxLength: 24 }),
})

let database: Awaited<ReturnType<typeof createTestDatabase>>
before(async () => {
	database = await createTestDatabase()
})
after(() => database.drop())

type Update = { message: number } & (typeof anyUpdates extends fc.Arbitrary<(infer T)[]> ? T : never)

test('each delivered message counts once with the pricing of its highest status, for updates in any order, batch and repetition, with and without pricing', async () => {
	const { sql } = database
	await fc.assert(
		fc.asyncProperty(anyHistory, async ({ messages, order }) => {
			const accountId = await bareAccount(sql)
			await sql`insert into wallets (account_id) values (${accountId})`
			const ids = await writeMessages(accountId)
			const all: Update[] = messages.flatMap((updates, message) => updates.map((update) => ({ ...update, message })))
			// Some updates in any order, with repetitions, and then every update once.
			const drawn = all.length === 0 ? [] : order.flatMap(({ at }) => all[at % all.length] ?? [])
			const batches = batchesOf([...drawn, ...all.toReversed()], order)
			await Promise.all(
				batches.map((batch) =>
					apply(
						accountId,
						batch.map((update) => statusUpdateOf(update, ids)),
					),
				),
			)

			const expected = new Map<string, number>()
			for (const [message, updates] of messages.entries()) count(expected, message, updates)
			const rows = await sql<{ key: string; messages: number }[]>`
				select concat_ws(' ', to_char(day, 'YYYY-MM-DD'), market, category, type, is_estimate) as key, messages
				from usage_days where account_id = ${accountId} and messages <> 0
			`
			assert.deepEqual(Object.fromEntries(rows.map((row) => [row.key, row.messages])), Object.fromEntries(expected))
			await checkByMessage(accountId)
		}),
		{ numRuns: 50, seed: 1 },
	)
})

/** Adds a message to the counts that are expected after all its updates. */
function count(expected: Map<string, number>, message: number, updates: readonly Omit<Update, 'message'>[]): void {
	const arrivals = updates.filter(({ status }) => status === 'delivered' || status === 'read')
	if (arrivals.length === 0) return
	const day = indianDay(Math.min(...arrivals.map(({ seconds }) => timeOf(seconds).getTime())))
	const own = message < OF_CAMPAIGN ? 'marketing' : 'service'
	// A sent status whose pricing equals the estimate changes nothing.
	const isEmpty = ({ status, pricing }: Omit<Update, 'message'>) =>
		status === 'sent' && pricing?.category === own && pricing.type === 'regular'
	const priced = updates
		.filter((update) => update.status !== 'failed' && update.pricing !== null && !isEmpty(update))
		.toSorted((a, b) => STATUS_ORDER.indexOf(b.status) - STATUS_ORDER.indexOf(a.status))
	const { category, type } = priced[0]?.pricing ?? { category: own, type: 'regular' }
	const key = [day, RECIPIENTS[message]?.[1], category, type, priced.length === 0 ? 't' : 'f'].join(' ')
	expected.set(key, (expected.get(key) ?? 0) + 1)
}

/** Checks that the sums of days equal the sums of messages. */
async function checkByMessage(accountId: AccountId): Promise<void> {
	const { sql } = database
	const days = await sql<{ day: string; messages: number }[]>`
		select to_char(day, 'YYYY-MM-DD') as day, sum(messages)::int as messages
		from usage_days where account_id = ${accountId} group by 1 having sum(messages) <> 0 order by 1
	`
	const messages = await sql<{ at: Date; usage: string }[]>`
		select arrived_at as at, usage from campaign_messages where account_id = ${accountId} and arrived_at is not null
		union all
		select arrived_at, usage from chat_messages where account_id = ${accountId} and arrived_at is not null
	`
	const sums = new Map<string, number>()
	for (const { at, usage } of messages) {
		assert.ok(readUsage(usage))
		const day = indianDay(at.getTime())
		sums.set(day, (sums.get(day) ?? 0) + 1)
	}
	assert.deepEqual(
		days.map((row) => [row.day, row.messages]),
		[...sums].toSorted(),
	)
}

/** Writes sent messages without a price. Returns the id that each status update names. */
async function writeMessages(accountId: AccountId): Promise<string[]> {
	const { sql } = database
	const campaignId = await campaignRow(sql, accountId, { status: 'processing' })
	await sql`
		update campaigns set price_paise = 0, total_count = ${OF_CAMPAIGN}, sent_count = ${OF_CAMPAIGN}, claimed_through = ${OF_CAMPAIGN}
		where account_id = ${accountId} and id = ${campaignId}
	`
	const ids: string[] = []
	for (const [index, [key]] of RECIPIENTS.entries()) {
		if (index < OF_CAMPAIGN) {
			await sql`
				insert into campaign_messages (account_id, campaign_id, seq, number, status, status_at, sent_at)
				values (${accountId}, ${campaignId}, ${index + 1}, ${key}, 'sent', now(), now())
			`
			ids.push(`campaign:${campaignId}:${index + 1}`)
			continue
		}
		await sql`insert into chats (account_id, key, last_at) values (${accountId}, ${key}, now())`
		const [row] = await sql<{ id: number }[]>`
			insert into chat_messages (account_id, chat, direction, kind, status, at)
			values (${accountId}, ${key}, 'out', 'text', 'sent', now()) returning id
		`
		ids.push(`chat:${row?.id}`)
	}
	return ids
}

async function apply(accountId: AccountId, statusUpdates: StatusUpdate[]): Promise<void> {
	await transaction(
		database.sql,
		async (sql) => {
			const { others, usage } = await settleChatStatusUpdates(sql, accountId, statusUpdates)
			await settleStatusUpdates(sql, accountId, { statusUpdates: others, usage, notify: async () => {} })
		},
		{ isByKey: true },
	)
}

function batchesOf(updates: Update[], order: readonly { endsBatch: boolean }[]): Update[][] {
	const batches: Update[][] = [[]]
	for (const [index, update] of updates.entries()) {
		batches.at(-1)?.push(update)
		if (order[index]?.endsBatch) batches.push([])
	}
	return batches.filter((batch) => batch.length > 0)
}

function statusUpdateOf({ message, status, pricing, seconds }: Update, ids: readonly string[]): StatusUpdate {
	return {
		status,
		pricing,
		at: timeOf(seconds),
		wamid: `wamid.${message}`,
		recipient: RECIPIENTS[message]?.[0] ?? '',
		callbackData: ids[message] ?? '',
		errorCode: status === 'failed' ? 131026 : null,
		error: status === 'failed' ? 'Undeliverable' : null,
	}
}

function timeOf(seconds: number): Date {
	return new Date(MIDNIGHT_MS - HOUR_MS + seconds * 1000)
}

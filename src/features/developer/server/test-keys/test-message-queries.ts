import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import type { MessageFilter } from '../campaigns/message-queries.ts'
import { isCompletedAllAccounts } from './test-campaign-queries.ts'

/** A message of a test key. `campaignId` is the id of its order or test campaign. */
export interface TestMessage extends MessageId, MessageReference {
	to: string
	name: string | null
	template: { name: string; language: string }
	/** Code of the failure; null for a message that arrives. */
	errorCode: number | null
	/** Time from which the steps are due: the time of the order, or the start of the campaign. */
	beginsAt: Date
	/** True while the message's campaign is a draft or paused. */
	isWaiting: boolean
}

export interface NewTestMessage extends MessageReference {
	number: string
	name: string | null
	errorCode: number | null
	/** Number of steps about which webhooks are sent. */
	steps: number
}

/** The messages of an order or campaign, numbered from 1. */
interface NewTestMessages {
	id: number
	template: TestMessage['template']
	messages: readonly NewTestMessage[]
	/** Time of the campaign's creation; null for now. */
	createdAt?: Date | null
}

/** Stores messages. Returns false and stores nothing when the id is taken. */
export async function insertMessages(
	sql: Sql,
	accountId: AccountId,
	{ id, template, messages, createdAt = null }: NewTestMessages,
): Promise<boolean> {
	const { count } = await sql`
		insert into test_messages (
			account_id, order_id, seq, number, name, template, reference, metadata, error_code, created_at, steps
		)
		select ${accountId}::bigint, ${id}::bigint, n.seq, n.number, n.name, ${JSON.stringify(template)}::json, n.reference,
			n.metadata::json, n.error_code, coalesce(${createdAt}::timestamptz, now()), n.steps
		from unnest(
			${messages.map(({ number }) => number)}::text[], ${messages.map(({ name }) => name)}::text[],
			${messages.map(({ reference }) => reference)}::text[],
			${messages.map(({ metadata }) => metadata && JSON.stringify(metadata))}::text[],
			${messages.map(({ errorCode }) => errorCode)}::integer[], ${messages.map(({ steps }) => steps)}::smallint[]
		) with ordinality as n (number, name, reference, metadata, error_code, steps, seq)
		on conflict do nothing
	`
	return count > 0
}

/** Deletes the messages of a campaign. */
export async function deleteMessages(sql: Sql, accountId: AccountId, campaignId: number): Promise<void> {
	await sql`delete from test_messages where account_id = ${accountId} and order_id = ${campaignId}`
}

/** Makes all messages of a campaign fail with this code, which is then the only step that webhooks receive. */
export async function failMessages(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, errorCode }: { campaignId: number; errorCode: number },
): Promise<void> {
	await sql`
		update test_messages set error_code = ${errorCode}, steps = 1
		where account_id = ${accountId} and order_id = ${campaignId}
	`
}

export async function countMessages(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from test_messages where account_id = ${accountId}
	`
	return row?.total ?? 0
}

const COLUMNS = (sql: Sql) => sql`
	m.order_id as "campaignId", m.seq, m.number as to, m.name, m.template, m.reference, m.metadata,
	m.error_code as "errorCode", coalesce(c.begins_at, m.created_at) as "beginsAt",
	coalesce(c.state in ('draft', 'paused'), false) as "isWaiting"
`

const selectTests = (sql: Sql, accountId: AccountId) => sql`
	select ${COLUMNS(sql)} from test_messages m
	left join test_campaigns c on c.account_id = ${accountId} and c.id = m.order_id
	where m.account_id = ${accountId}
`

export async function findTestMessage(sql: Sql, accountId: AccountId, id: MessageId): Promise<TestMessage | undefined> {
	const [row] = await sql<TestMessage[]>`
		${selectTests(sql, accountId)} and m.order_id = ${id.campaignId} and m.seq = ${id.seq}
	`
	return row
}

/** Returns test messages, latest order first, and within it the last message first. */
export async function listTestMessages(sql: Sql, accountId: AccountId, wanted: MessageFilter): Promise<TestMessage[]> {
	const { campaignId, number, reference, from, to, before, limit } = wanted
	const time = sql`coalesce(c.begins_at, m.created_at)`
	return sql<TestMessage[]>`
		${selectTests(sql, accountId)}
			${campaignId === undefined ? sql`` : sql`and m.order_id = ${campaignId}`}
			${number === undefined ? sql`` : sql`and m.number = ${number}`}
			${reference === undefined ? sql`` : sql`and m.reference = ${reference}`}
			${from === undefined ? sql`` : sql`and ${time} >= ${from}`}
			${to === undefined ? sql`` : sql`and ${time} < ${to}`}
			${before === null ? sql`` : sql`and (m.order_id, m.seq) < (${before.campaignId}::bigint, ${before.seq}::int)`}
		order by m.order_id desc, m.seq desc
		limit ${limit}
	`
}

/** Returns all messages of a campaign in their order. */
export async function listTestRecipients(sql: Sql, accountId: AccountId, campaignId: number): Promise<TestMessage[]> {
	return sql<TestMessage[]>`${selectTests(sql, accountId)} and m.order_id = ${campaignId} order by m.seq`
}

/** Times of the steps of messages and of the completion of campaigns, in milliseconds after their start. */
interface Due {
	dueMs: readonly number[]
	completedMs: number
}

/** Returns accounts with a due step of a test message or a completed test campaign that is not announced. */
export async function listDueAllAccounts(
	sql: Sql,
	{ dueMs, completedMs, only }: Due & { only: AccountId | null },
): Promise<AccountId[]> {
	const messages = only === null ? sql`` : sql`and m.account_id = ${only}`
	const campaigns = only === null ? sql`` : sql`and d.account_id = ${only}`
	const rows = await sql<{ accountId: AccountId }[]>`
		select m.account_id as "accountId" from test_messages m
		left join test_campaigns c on c.account_id = m.account_id and c.id = m.order_id
		where ${isDue(sql, dueMs)} ${messages}
		union
		select d.account_id as "accountId" from test_campaigns d where ${isCompletedAllAccounts(sql, completedMs)} ${campaigns}
	`
	return rows.map(({ accountId }) => accountId)
}

export interface DueMessage extends TestMessage {
	/** Number of steps whose events are recorded. */
	announced: number
}

/** Locks and returns up to `limit` test messages with a due step, skipping those that another process has locked. */
export async function lockDue(
	sql: Sql,
	accountId: AccountId,
	{ dueMs, limit }: { dueMs: readonly number[]; limit: number },
): Promise<DueMessage[]> {
	return sql<DueMessage[]>`
		select ${COLUMNS(sql)}, m.told as announced from test_messages m
		left join test_campaigns c on c.account_id = ${accountId} and c.id = m.order_id
		where m.account_id = ${accountId} and ${isDue(sql, dueMs)}
		order by m.created_at, m.order_id, m.seq
		limit ${limit}
		for update of m skip locked
	`
}

/** Returns the SQL condition that the next step of message `m`, of campaign `c`, is due. */
const isDue = (sql: Sql, dueMs: readonly number[]) => sql`
	m.told < m.steps and coalesce(c.state not in ('draft', 'paused'), true)
	and coalesce(c.begins_at, m.created_at) <= now() - make_interval(secs => (${[...dueMs]}::float8[])[m.told + 1] / 1000)
`

/** Counts one more announced step of each message. */
export async function countAnnounced(sql: Sql, accountId: AccountId, messages: readonly MessageId[]): Promise<void> {
	await sql`
		update test_messages m set told = m.told + 1
		from unnest(
			${messages.map(({ campaignId }) => campaignId)}::bigint[], ${messages.map(({ seq }) => seq)}::int[]
		) as n (order_id, seq)
		where m.account_id = ${accountId} and m.order_id = n.order_id and m.seq = n.seq
	`
}

export async function deleteOldTestMessages(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from test_messages where account_id = ${accountId} and (order_id, seq) in (
			select order_id, seq from test_messages
			where account_id = ${accountId} and created_at < now() - ${age}::interval
			order by order_id, seq
			limit ${limit}
			for update
		)
	`
	return count
}

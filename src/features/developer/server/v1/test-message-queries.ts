import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import type { MessageFilter } from './message-queries.ts'

/** A message of a test key. `campaignId` is the id of its order. */
export interface TestMessage extends MessageId, MessageReference {
	to: string
	template: { name: string; language: string }
	createdAt: Date
}

export interface NewTestMessage extends MessageReference {
	number: string
	/** Number of steps about which webhooks are sent. */
	steps: number
}

/** Stores the messages of an order. Returns false and stores nothing when the id is taken. */
export async function insertOrder(
	sql: Sql,
	accountId: AccountId,
	{ id, template, messages }: { id: number; template: TestMessage['template']; messages: readonly NewTestMessage[] },
): Promise<boolean> {
	const { count } = await sql`
		insert into test_messages (account_id, order_id, seq, number, template, reference, metadata, created_at, steps)
		select ${accountId}::bigint, ${id}::bigint, n.seq, n.number, ${JSON.stringify(template)}::json, n.reference,
			n.metadata::json, now(), n.steps
		from unnest(
			${messages.map(({ number }) => number)}::text[], ${messages.map(({ reference }) => reference)}::text[],
			${messages.map(({ metadata }) => metadata && JSON.stringify(metadata))}::text[],
			${messages.map(({ steps }) => steps)}::smallint[]
		) with ordinality as n (number, reference, metadata, steps, seq)
		on conflict do nothing
	`
	return count > 0
}

export async function countMessages(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from test_messages where account_id = ${accountId}
	`
	return row?.total ?? 0
}

const selectTests = (sql: Sql, accountId: AccountId) => sql`
	select order_id as "campaignId", seq, number as to, template, reference, metadata, created_at as "createdAt"
	from test_messages
	where account_id = ${accountId}
`

export async function findTestMessage(sql: Sql, accountId: AccountId, id: MessageId): Promise<TestMessage | undefined> {
	const [row] = await sql<TestMessage[]>`
		${selectTests(sql, accountId)} and order_id = ${id.campaignId} and seq = ${id.seq}
	`
	return row
}

/** Returns test messages, latest order first, and within it the last message first. */
export async function listTestMessages(sql: Sql, accountId: AccountId, wanted: MessageFilter): Promise<TestMessage[]> {
	const { campaignId, number, reference, from, to, before, limit } = wanted
	return sql<TestMessage[]>`
		${selectTests(sql, accountId)}
			${campaignId === undefined ? sql`` : sql`and order_id = ${campaignId}`}
			${number === undefined ? sql`` : sql`and number = ${number}`}
			${reference === undefined ? sql`` : sql`and reference = ${reference}`}
			${from === undefined ? sql`` : sql`and created_at >= ${from}`}
			${to === undefined ? sql`` : sql`and created_at < ${to}`}
			${before === null ? sql`` : sql`and (order_id, seq) < (${before.campaignId}::bigint, ${before.seq}::int)`}
		order by order_id desc, seq desc
		limit ${limit}
	`
}

/** Returns accounts with a due step of a test message. `dueMs` holds the time of each step after the order. */
export async function listDueAllAccounts(
	sql: Sql,
	{ dueMs, only }: { dueMs: readonly number[]; only: AccountId | null },
): Promise<AccountId[]> {
	const rows = await sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from test_messages
		where ${isDue(sql, dueMs)} ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
	return rows.map(({ accountId }) => accountId)
}

export interface DueMessage extends TestMessage {
	told: number
	steps: number
}

/** Locks test messages with a due step, skipping those that another process has locked. */
export async function lockDue(
	sql: Sql,
	accountId: AccountId,
	{ dueMs, limit }: { dueMs: readonly number[]; limit: number },
): Promise<DueMessage[]> {
	return sql<DueMessage[]>`
		select order_id as "campaignId", seq, number as to, template, reference, metadata, created_at as "createdAt", told, steps
		from test_messages
		where account_id = ${accountId} and ${isDue(sql, dueMs)}
		order by created_at, order_id, seq
		limit ${limit}
		for update skip locked
	`
}

const isDue = (sql: Sql, dueMs: readonly number[]) => sql`
	told < steps and created_at <= now() - make_interval(secs => (${[...dueMs]}::float8[])[told + 1] / 1000)
`

/** Counts one more announced step of each message. */
export async function addTold(sql: Sql, accountId: AccountId, messages: readonly MessageId[]): Promise<void> {
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

import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Charge } from './charge.ts'

const columns = (sql: Sql) => sql`
	message_id as "messageId", price_paise as "pricePaise", state, status, error_code as "errorCode",
	pricing_type as "pricingType", move_count as "moveCount"
`

export async function insertCharge(
	sql: Sql,
	accountId: AccountId,
	{ messageId, pricePaise }: Pick<Charge, 'messageId' | 'pricePaise'>,
): Promise<void> {
	await sql`
		insert into reply_charges (account_id, message_id, price_paise) values (${accountId}, ${messageId}, ${pricePaise})
	`
}

/** Returns the number of an account's messages that wait for a worker. */
export async function countUnclaimed(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count from chat_messages
		where account_id = ${accountId} and direction = 'out' and status = 'pending' and claimed_at is null
	`
	return row?.count ?? 0
}

/** Returns the charges of these messages and locks them in the order of their ids. Free messages have none. */
export async function lockCharges(sql: Sql, accountId: AccountId, ids: readonly number[]): Promise<Charge[]> {
	return sql<Charge[]>`
		select ${columns(sql)} from reply_charges
		where account_id = ${accountId} and message_id = any(${ids}::bigint[])
		order by message_id
		for update
	`
}

/** Returns up to `limit` charges whose money has to move, and locks them. Omits those that another transaction has locked. */
export async function lockDue(sql: Sql, accountId: AccountId, limit: number): Promise<Charge[]> {
	return sql<Charge[]>`
		select ${columns(sql)} from reply_charges
		where account_id = ${accountId} and is_due
		order by message_id
		limit ${limit}
		for update skip locked
	`
}

/** Returns up to `limit` charges that are on hold for `days` or longer, and locks them. */
export async function lockHeld(
	sql: Sql,
	accountId: AccountId,
	{ days, limit }: { days: number; limit: number },
): Promise<Charge[]> {
	return sql<Charge[]>`
		select ${columns(sql)} from reply_charges
		where account_id = ${accountId} and state = 'held' and held_at <= now() - ${days} * interval '1 day'
		order by message_id
		limit ${limit}
		for update skip locked
	`
}

/** Stores the new state of locked charges. */
export async function writeCharges(
	sql: Sql,
	accountId: AccountId,
	charges: readonly (Charge & { isDue: boolean })[],
): Promise<void> {
	await sql`
		update reply_charges c
		set state = n.state, status = n.status, error_code = n.error_code, pricing_type = n.pricing_type, is_due = n.is_due,
			move_count = n.move_count
		from unnest(
			${charges.map((c) => c.messageId)}::bigint[], ${charges.map((c) => c.state)}::text[],
			${charges.map((c) => c.status)}::text[]::message_status[], ${charges.map((c) => c.errorCode)}::integer[],
			${charges.map((c) => c.pricingType)}::text[], ${charges.map((c) => c.isDue)}::boolean[],
			${charges.map((c) => c.moveCount)}::smallint[]
		) as n (id, state, status, error_code, pricing_type, is_due, move_count)
		where c.account_id = ${accountId} and c.message_id = n.id
	`
}

/** Returns accounts with charges whose money has to move. */
export async function listDueAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from reply_charges
		where is_due ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Returns accounts with charges that are on hold for `days` or longer. */
export async function listHeldAllAccounts(
	sql: Sql,
	{ days, only }: { days: number; only: AccountId | null },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from reply_charges
		where state = 'held' and held_at <= now() - ${days} * interval '1 day'
			${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

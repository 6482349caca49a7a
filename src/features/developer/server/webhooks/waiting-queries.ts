import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

interface TurnedAddress {
	accountId: AccountId
	address: number
	isFull: boolean
}

/** Addresses for which as many events wait as may, or no longer do, and that are not marked so yet. */
export async function listTurnedAllAccounts(
	sql: Sql,
	{ most, only }: { most: number; only: AccountId | null },
): Promise<TurnedAddress[]> {
	return sql<TurnedAddress[]>`
		select "accountId", address, not was_full as "isFull" from (
			select w.account_id as "accountId", w.id as address, w.is_full as was_full,
				coalesce(sum(e.event_count), 0) >= ${most} as is_full
			from webhook_addresses w
			left join waiting_events e on e.account_id = w.account_id and e.address_id = w.id
			where w.switched_off_at is null ${only === null ? sql`` : sql`and w.account_id = ${only}`}
			group by w.account_id, w.id, w.is_full
		) as counted
		where is_full <> was_full
	`
}

export async function updateFull(
	sql: Sql,
	accountId: AccountId,
	{ address, isFull }: { address: number; isFull: boolean },
): Promise<void> {
	await sql`update webhook_addresses set is_full = ${isFull} where account_id = ${accountId} and id = ${address}`
}

/** Deletes what waits for addresses that are gone or switched off. */
export async function deleteUnwanted(
	sql: Sql,
	accountId: AccountId,
	{ limit }: Pick<OldRows, 'limit'>,
): Promise<number> {
	const isUnwanted = sql`not exists (
		select 1 from webhook_addresses w
		where w.account_id = ${accountId} and w.id = e.address_id and w.switched_off_at is null
	)`
	const { count } = await sql`
		delete from waiting_events e where e.account_id = ${accountId} and ${isUnwanted} and (e.address_id, e.id) in (
			select e.address_id, e.id from waiting_events e where e.account_id = ${accountId} and ${isUnwanted} limit ${limit}
		)
	`
	return count
}

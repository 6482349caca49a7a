import type { EventType } from '#features/events/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface AddressRow {
	id: number
	url: string
	events: EventType[]
	createdAt: Date
	failingSince: Date | null
	switchedOffAt: Date | null
	waiting: number
	isFull: boolean
}

/** URL and events of an address. */
export interface Target {
	url: string
	events: readonly EventType[]
}

/** Returns addresses in the order in which they were added. */
export async function listAddresses(sql: Sql, accountId: AccountId): Promise<AddressRow[]> {
	return sql<AddressRow[]>`
		select w.id, w.url, w.events, w.created_at as "createdAt", w.failing_since as "failingSince",
			w.switched_off_at as "switchedOffAt", w.is_full as "isFull",
			(
				select coalesce(sum(e.event_count), 0) from waiting_events e
				where e.account_id = ${accountId} and e.address_id = w.id
			) + (
				select coalesce(sum(d.event_count), 0) from event_deliveries d
				where d.account_id = ${accountId} and d.address_id = w.id and d.due_at is not null
			) as waiting
		from webhook_addresses w
		where w.account_id = ${accountId}
		order by w.id
	`
}

export async function countAddresses(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from webhook_addresses where account_id = ${accountId}
	`
	return row?.total ?? 0
}

export async function insertAddress(
	sql: Sql,
	accountId: AccountId,
	{ url, events, encrypted }: Target & { encrypted: Buffer },
): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${accountId}, ${url}, ${[...events]}::text[], ${encrypted})
		returning id
	`
	if (!row) throw new Error('an insert returns its row')
	return row.id
}

export async function hasAddress(sql: Sql, accountId: AccountId, id: string): Promise<boolean> {
	const rows = await sql`select 1 from webhook_addresses where account_id = ${accountId} and id = ${id}`
	return rows.length > 0
}

export async function findUrl(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ url: string }[]>`
		select url from webhook_addresses where account_id = ${accountId} and id = ${id}
	`
	return row?.url
}

/** Stores that the address has a new URL or secret from now on. */
export async function updateRenewed(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	await sql`update webhook_addresses set renewed_at = now() where account_id = ${accountId} and id = ${id}`
}

/** Locks an address and returns it; undefined when it does not exist. */
export async function lockAddress(
	sql: Sql,
	accountId: AccountId,
	id: string | number,
): Promise<{ url: string; encrypted: Buffer; isOff: boolean } | undefined> {
	const [row] = await sql<{ url: string; encrypted: Buffer; isOff: boolean }[]>`
		select url, secret as encrypted, switched_off_at is not null as "isOff" from webhook_addresses
		where account_id = ${accountId} and id = ${id}
		for update
	`
	return row
}

/** Changes an address, and switches it on. */
export async function updateTarget(sql: Sql, accountId: AccountId, { id, url, events }: Target & { id: string }) {
	await sql`
		update webhook_addresses
		set url = ${url}, events = ${[...events]}::text[], switched_off_at = null,
			failing_since = case when switched_off_at is null then failing_since end
		where account_id = ${accountId} and id = ${id}
	`
}

export async function updateSecret(
	sql: Sql,
	accountId: AccountId,
	{ id, before, after }: { id: string | number; before: Buffer; after: Buffer },
): Promise<void> {
	await sql`
		update webhook_addresses set secret = ${after}
		where account_id = ${accountId} and id = ${id} and secret = ${before}
	`
}

/**
 * Deletes an address and returns its URL; undefined when it does not exist. A sweep deletes its deliveries, which may
 * be many.
 */
export async function deleteAddress(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ url: string }[]>`
		delete from webhook_addresses where account_id = ${accountId} and id = ${id} returning url
	`
	return row?.url
}

/** Deletes the addresses that were added or had a new URL or secret since that time; null means all. */
export async function deleteAddressesSince(sql: Sql, accountId: AccountId, since: Date | null): Promise<void> {
	await sql`
		delete from webhook_addresses
		where account_id = ${accountId} and (${since}::timestamptz is null or greatest(created_at, renewed_at) >= ${since})
	`
}

export interface EncryptedAddress {
	accountId: AccountId
	id: number
	encrypted: Buffer
}

/** Returns up to a thousand encrypted secrets of all accounts, in the order of address ids after `after`. */
export async function listSecretsAllAccounts(sql: Sql, after: number): Promise<EncryptedAddress[]> {
	return sql<EncryptedAddress[]>`
		select account_id as "accountId", id, secret as encrypted from webhook_addresses where id > ${after} order by id limit 1000
	`
}

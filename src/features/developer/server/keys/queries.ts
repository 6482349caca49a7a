import { isInUse } from '#features/auth/server/queries.ts'
import type { Scope } from '#features/developer/contract.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface ApiKeyRow {
	id: number
	name: string
	scopes: Scope[]
	networks: string[]
	/** Limit per Indian day in paise; null without one. `spentPaise` is the spending of today, counted for limited keys only. */
	dayLimitPaise: number | null
	spentPaise: number
	isTest: boolean
	createdAt: Date
	expiresAt: Date | null
	lastUsedAt: Date | null
}

/** Returns keys, newest first. */
export async function listKeys(sql: Sql, accountId: AccountId): Promise<ApiKeyRow[]> {
	return sql<ApiKeyRow[]>`
		select k.id, k.name, k.scopes, k.networks::text[] as networks, k.day_limit_paise as "dayLimitPaise", k.is_test as "isTest",
			coalesce(d.spent_paise, 0) as "spentPaise", k.created_at as "createdAt", k.expires_at as "expiresAt",
			k.last_used_at as "lastUsedAt"
		from api_keys k
		left join api_key_days d on d.account_id = ${accountId} and d.key_id = k.id and d.day = ${indianDay(Date.now())}
		where k.account_id = ${accountId}
		order by k.id desc
	`
}

export async function countKeys(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total from api_keys where account_id = ${accountId}`
	return row?.total ?? 0
}

export interface NewKey {
	name: string
	scopes: Scope[]
	/** Valid addresses or networks. Bits of an address outside its network are dropped. */
	networks: string[]
	expiresAt: string | null
	dayLimitPaise: number | null
	isTest: boolean
	secretHash: Buffer
}

export async function insertKey(sql: Sql, accountId: AccountId, key: NewKey): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into api_keys (account_id, name, secret_hash, scopes, networks, expires_at, day_limit_paise, is_test)
		values (
			${accountId}, ${key.name}, ${key.secretHash}, ${key.scopes}::text[],
			${key.networks}::inet[]::cidr[], ${key.expiresAt}, ${key.dayLimitPaise}, ${key.isTest}
		)
		returning id
	`
	if (!row) throw new Error('the key was not inserted')
	return row.id
}

/** Deletes a key and returns its name; undefined when the account has no such key. */
export async function deleteKey(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ name: string }[]>`
		delete from api_keys where account_id = ${accountId} and id = ${id} returning name
	`
	return row?.name
}

/** The key of a call, and the network address of its caller. */
export interface AskedKey {
	id: string
	secretHash: Buffer
	address: string
}

export interface FoundKey {
	id: number
	accountId: AccountId
	scopes: Scope[]
	/** Limit per Indian day in paise; null without one. */
	dayLimitPaise: number | null
	isTest: boolean
	/** True for a key that has not expired and whose account is in use. */
	isUsable: boolean
	/** True when the key may be used from this address. */
	isFromHere: boolean
	/** True when the key was last used over a minute ago. */
	isStale: boolean
}

/** Returns the keys in the order of `asked`; undefined for an unknown id or a wrong secret. */
export async function findKeysAllAccounts(sql: Sql, asked: readonly AskedKey[]): Promise<(FoundKey | undefined)[]> {
	const rows = await sql<(FoundKey & { place: number })[]>`
		select a.place, k.id, k.account_id as "accountId", k.scopes, k.day_limit_paise as "dayLimitPaise", k.is_test as "isTest",
			(k.expires_at is null or k.expires_at > now()) and ${isInUse(sql, sql`k.account_id`)} as "isUsable",
			k.networks = '{}' or a.address <<= any(k.networks) as "isFromHere",
			coalesce(k.last_used_at < now() - interval '1 minute', true) as "isStale"
		from unnest(
			${asked.map(({ id }) => id)}::bigint[], ${asked.map(({ secretHash }) => secretHash)}::bytea[],
			${asked.map(({ address }) => address)}::inet[]
		) with ordinality a (id, secret_hash, address, place)
		join api_keys k on k.id = a.id and k.secret_hash = a.secret_hash
	`
	const found = new Map(rows.map((row) => [row.place, row]))
	return asked.map((_, index) => found.get(index + 1))
}

export async function updateLastUsed(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	// Compares in UTC, because Citus refuses to compare a column with a time with a zone in an update.
	await sql`
		update api_keys set last_used_at = now()
		where account_id = ${accountId} and id = ${id}
			and (last_used_at is null or last_used_at at time zone 'UTC' < (now() - interval '1 minute') at time zone 'UTC')
	`
}

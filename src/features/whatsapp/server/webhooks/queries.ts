import type { AccountId, Sql } from '#lib/server/db.ts'

/** What webhooks need to know of a sender. */
export interface WebhookSender {
	accountId: AccountId
	phoneNumberId: string
	wabaId: string
	verifyToken: string
	appSecretSealed: Buffer | null
}

const columns = (sql: Sql) => sql`
	s.account_id as "accountId", s.phone_number_id as "phoneNumberId", s.waba_id as "wabaId",
	s.verify_token as "verifyToken", s.app_secret_sealed as "appSecretSealed"
`

/** The sender whose webhook address ends in this key. The key names the account, so that one machine can answer. */
export async function findAddressAllAccounts(
	sql: Sql,
	key: { accountId: number; whole: string },
): Promise<WebhookSender | undefined> {
	const [row] = await sql<WebhookSender[]>`
		select ${columns(sql)} from senders s where s.account_id = ${key.accountId} and s.webhook_key = ${key.whole}
	`
	return row
}

export type NamedSender = WebhookSender & { isDeleted: boolean; formerNumbers: string[] }

/** The senders that have, or had, one of these numbers or belong to one of these WABAs. */
export async function listNamedAllAccounts(
	sql: Sql,
	named: { phoneNumberIds: string[]; wabaIds: string[] },
): Promise<NamedSender[]> {
	return sql<NamedSender[]>`
		select ${columns(sql)}, u.deleted_at is not null as "isDeleted", coalesce(f.numbers, '{}') as "formerNumbers"
		from senders s
		join users u on u.account_id = s.account_id
		left join (
			select account_id, array_agg(phone_number_id) as numbers
			from former_numbers
			where phone_number_id = any(${named.phoneNumberIds}::text[])
			group by account_id
		) f on f.account_id = s.account_id
		where s.phone_number_id = any(${named.phoneNumberIds}::text[]) or s.waba_id = any(${named.wabaIds}::text[])
			or f.account_id is not null
	`
}

export interface NewDelivery {
	accountId: AccountId
	body: string
	/** Why it is not to be processed, or null. */
	keptBecause: string | null
}

/** Stores deliveries of any number of accounts in one statement. */
export async function insertDeliveriesAllAccounts(sql: Sql, deliveries: NewDelivery[]): Promise<void> {
	await sql`
		insert into webhook_deliveries (account_id, body, kept_because)
		select account_id, body, kept_because
		from unnest(
			${deliveries.map((delivery) => delivery.accountId)}::bigint[],
			${deliveries.map((delivery) => delivery.body)}::text[],
			${deliveries.map((delivery) => delivery.keptBecause)}::text[]
		) as d (account_id, body, kept_because)
	`
}

/** Which of these accounts have waiting deliveries, some of them several times. Looks each one up in an index. */
export async function listWaitingAllAccounts(
	sql: Sql,
	{ accountIds, limit }: { accountIds: AccountId[]; limit: number },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select account_id as "accountId"
		from webhook_deliveries
		where kept_because is null and account_id = any(${accountIds}::bigint[])
		limit ${limit}
	`
}

export interface Delivery {
	id: number
	body: string
	receivedAt: Date
}

export interface ClaimLimit {
	deliveries: number
	bytes: number
}

/**
 * Takes the account's oldest waiting deliveries, up to a limit and one at least. Locking the oldest alone lets one process
 * at a time work for an account; whoever finds it locked gets nothing.
 */
export async function claimDeliveries(sql: Sql, accountId: AccountId, limit: ClaimLimit): Promise<Delivery[]> {
	return sql<Delivery[]>`
		with oldest as materialized (
			select id from webhook_deliveries
			where account_id = ${accountId} and id = (
				select id from webhook_deliveries where account_id = ${accountId} and kept_because is null order by id limit 1
			)
			for update skip locked
		), waiting as (
			select d.id, d.body, d.received_at
			from webhook_deliveries d
			where d.account_id = ${accountId} and d.kept_because is null and d.id >= (select id from oldest)
			order by d.id
			limit ${limit.deliveries}
		), measured as (
			select id, body, received_at, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before from waiting
		)
		select id, body, received_at as "receivedAt" from measured where bytes_before < ${limit.bytes} order by id
	`
}

export async function deleteDeliveries(sql: Sql, accountId: AccountId, ids: number[]): Promise<void> {
	await sql`delete from webhook_deliveries where account_id = ${accountId} and id = any(${ids}::bigint[])`
}

/** The next deliveries after an id that hold one of these texts; locked, so that one being processed is waited for. */
export async function lockHolding(
	sql: Sql,
	accountId: AccountId,
	{ texts, after }: { texts: readonly string[]; after: number },
): Promise<{ id: number; body: string }[]> {
	return sql<{ id: number; body: string }[]>`
		select id, body from webhook_deliveries
		where account_id = ${accountId} and id > ${after}
			and exists (select from unnest(${texts}::text[]) as t (part) where position(t.part in body) > 0)
		order by id
		limit 20
		for update
	`
}

export async function updateBody(
	sql: Sql,
	accountId: AccountId,
	{ id, body }: { id: number; body: string },
): Promise<void> {
	await sql`update webhook_deliveries set body = ${body} where account_id = ${accountId} and id = ${id}`
}

/**
 * Updates the account's webhook statistics: deliveries, and changes of kinds that are ignored. `receivedAt` is that of the last
 * delivery.
 */
export async function countProcessed(
	sql: Sql,
	accountId: AccountId,
	{ deliveries, ignored, receivedAt }: { deliveries: number; ignored: number; receivedAt: Date },
): Promise<void> {
	await sql`
		insert into webhook_totals as t (account_id, processed_count, ignored_count, last_received_at, last_processed_at)
		values (${accountId}, ${deliveries}, ${ignored}, ${receivedAt}, now())
		on conflict (account_id) do update set
			processed_count = t.processed_count + excluded.processed_count,
			ignored_count = t.ignored_count + excluded.ignored_count,
			last_received_at = greatest(t.last_received_at, excluded.last_received_at),
			last_processed_at = excluded.last_processed_at
	`
}

export async function addDropped(sql: Sql, accountId: AccountId, count: number): Promise<void> {
	await sql`
		insert into webhook_totals as t (account_id, dropped_count, last_received_at)
		values (${accountId}, ${count}, now())
		on conflict (account_id) do update set
			dropped_count = t.dropped_count + excluded.dropped_count, last_received_at = excluded.last_received_at
	`
}

/** Why a delivery is kept, without what failed in it. Null where only a person can do something. */
const keptKind = (sql: Sql) => sql`substring(kept_because from '^(?:failed[^:]*|not understood: .*)')`

/** Why deliveries are kept that another release may process, each kind of reason once for each account. */
export async function listKeptReasonsAllAccounts(
	sql: Sql,
	accountId: AccountId | null,
): Promise<{ accountId: AccountId; because: string }[]> {
	return sql<{ accountId: AccountId; because: string }[]>`
		select distinct account_id as "accountId", ${keptKind(sql)} as because
		from webhook_deliveries
		where kept_because is not null and ${keptKind(sql)} is not null ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
	`
}

/** Lets deliveries that were kept for this kind of reason be processed. Returns how many there were. */
export async function requeueKept(sql: Sql, accountId: AccountId, because: string): Promise<number> {
	const rows = await sql`
		update webhook_deliveries set kept_because = null where account_id = ${accountId} and kept_because is not null and ${keptKind(sql)} = ${because}
		returning 1
	`
	return rows.length
}

/** Keeps deliveries for a person to look at. */
export async function keepDeliveries(
	sql: Sql,
	accountId: AccountId,
	kept: { id: number; because: string }[],
): Promise<void> {
	await sql`
		update webhook_deliveries d
		set kept_because = left(k.because, 1000)
		from unnest(${kept.map((each) => each.id)}::bigint[], ${kept.map((each) => each.because)}::text[]) as k (id, because)
		where d.account_id = ${accountId} and d.id = k.id
	`
	await deleteOldKept(sql, accountId)
}

/** Kept for each account: the newest, as long as they are not more or larger together. Who knows an app secret can forge any number. */
const MAX_KEPT = 1000
const MAX_KEPT_BYTES = 64 * 1024 * 1024

export async function deleteOldKept(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		with kept as (
			select id, row_number() over newest as place, sum(pg_column_size(body)) over newest as bytes
			from webhook_deliveries
			where account_id = ${accountId} and kept_because is not null
			window newest as (order by id desc)
		)
		delete from webhook_deliveries d using kept k
		where d.account_id = ${accountId} and d.id = k.id and d.kept_because is not null
			and (k.place > ${MAX_KEPT} or k.bytes > ${MAX_KEPT_BYTES})
	`
}

/** Whether the connection still answers: an error on one that does not may say nothing about the work. */
export async function isAnsweredAllAccounts(sql: Sql): Promise<boolean> {
	return sql`select 1`.then(
		() => true,
		// In a transaction that has failed, the server refuses it by a code.
		(error: unknown) => typeof error === 'object' && error !== null && 'code' in error && error.code === '25P02',
	)
}

import type { AccountId, Sql } from '#lib/server/db.ts'

/** Fields of a sender that webhooks need. */
export interface WebhookSender {
	accountId: AccountId
	phoneNumberId: string
	wabaId: string
	verifyToken: string
	encryptedAppSecret: Buffer | null
}

const columns = (sql: Sql) => sql`
	s.account_id as "accountId", s.phone_number_id as "phoneNumberId", s.waba_id as "wabaId",
	s.verify_token as "verifyToken", s.app_secret_sealed as "encryptedAppSecret"
`

/**
 * Returns the sender whose webhook address ends in this key; undefined for an unknown key. The key contains the account
 * id, so that a single database node can answer.
 */
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

/** Lists the senders that have or had one of these numbers, or belong to one of these WABAs. */
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
	/** Reason to store the webhook as a dead letter; null to process it. */
	deadLetterReason: string | null
}

/** Stores webhooks of any number of accounts in one statement. */
export async function insertDeliveriesAllAccounts(sql: Sql, deliveries: NewDelivery[]): Promise<void> {
	await sql`
		insert into webhook_deliveries (account_id, body, kept_because)
		select account_id, body, kept_because
		from unnest(
			${deliveries.map((delivery) => delivery.accountId)}::bigint[],
			${deliveries.map((delivery) => delivery.body)}::text[],
			${deliveries.map((delivery) => delivery.deadLetterReason)}::text[]
		) as d (account_id, body, kept_because)
	`
}

/**
 * Returns the account of up to `limit` waiting webhooks of these accounts; an account may be listed several times. Uses
 * an index lookup per account.
 */
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
 * Claims the account's oldest waiting webhooks, the first of them whatever its size. Locking only the oldest row lets one
 * process at a time work for an account: a process that finds it locked gets none.
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

/**
 * Returns and locks up to 20 webhooks with an id above `after` that contain one of these texts. The lock waits for webhooks
 * in process.
 */
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
 * Updates the account's webhook statistics. `ignored` counts changes of ignored kinds; `receivedAt` is the time of the
 * last webhook.
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

/**
 * Returns SQL for the start of a dead letter's reason, without the text of the error; null for reasons that only a person can
 * resolve.
 */
const reasonKind = (sql: Sql) => sql`substring(kept_because from '^(?:failed[^:]*|not understood: .*)')`

/** Lists the kinds of reason, once per account, of dead letters that another release may process. */
export async function listDeadLetterReasonsAllAccounts(
	sql: Sql,
	accountId: AccountId | null,
): Promise<{ accountId: AccountId; reason: string }[]> {
	return sql<{ accountId: AccountId; reason: string }[]>`
		select distinct account_id as "accountId", ${reasonKind(sql)} as reason
		from webhook_deliveries
		where kept_because is not null and ${reasonKind(sql)} is not null ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
	`
}

/** Queues dead letters of this kind of reason. Returns the number of queued ones. */
export async function requeueDeadLetters(sql: Sql, accountId: AccountId, reason: string): Promise<number> {
	const rows = await sql`
		update webhook_deliveries set kept_because = null where account_id = ${accountId} and kept_because is not null and ${reasonKind(sql)} = ${reason}
		returning 1
	`
	return rows.length
}

/** Marks webhooks as dead letters. */
export async function markDeadLetters(
	sql: Sql,
	accountId: AccountId,
	deadLetters: { id: number; reason: string }[],
): Promise<void> {
	await sql`
		update webhook_deliveries d
		set kept_because = left(n.reason, 1000)
		from unnest(${deadLetters.map(({ id }) => id)}::bigint[], ${deadLetters.map(({ reason }) => reason)}::text[]) as n (id, reason)
		where d.account_id = ${accountId} and d.id = n.id
	`
	await deleteExcessDeadLetters(sql, accountId)
}

/**
 * Maximum dead letters of an account, by number and bytes; the oldest are deleted. A bound is needed, because anyone
 * with an app secret can send any number.
 */
const MAX_DEAD_LETTERS = 1000
const MAX_DEAD_LETTER_BYTES = 64 * 1024 * 1024

export async function deleteExcessDeadLetters(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		with dead_letters as (
			select id, row_number() over newest as place, sum(pg_column_size(body)) over newest as bytes
			from webhook_deliveries
			where account_id = ${accountId} and kept_because is not null
			window newest as (order by id desc)
		)
		delete from webhook_deliveries d using dead_letters k
		where d.account_id = ${accountId} and d.id = k.id and d.kept_because is not null
			and (k.place > ${MAX_DEAD_LETTERS} or k.bytes > ${MAX_DEAD_LETTER_BYTES})
	`
}

/** Returns true while the connection still answers. When the connection is lost, an error does not show whether the work is at fault. */
export async function isAnsweredAllAccounts(sql: Sql): Promise<boolean> {
	return sql`select 1`.then(
		() => true,
		// In a failed transaction the server refuses the statement with this code, which proves the connection.
		(error: unknown) => typeof error === 'object' && error !== null && 'code' in error && error.code === '25P02',
	)
}

import type { ResponseIn } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import type { whatsapp } from '../contract.ts'

type WebhookAccount = ResponseIn<typeof whatsapp.webhooks>['accounts'][number]
type DeadLetter = ResponseIn<typeof whatsapp.keptDeliveries>['deliveries'][number]

const MAX_COUNTED = 1000
const MAX_LISTED = 100
const MAX_SHOWN_CHARACTERS = 4000

const withSender = (sql: Sql, search: string) => sql`
	from senders s
	join users u on u.account_id = s.account_id
	where u.deleted_at is null ${
		search === ''
			? sql``
			: sql`and (${containsFolded(sql, sql`u.name`, search)} or ${containsFolded(sql, sql`u.email`, search)})`
	}
`

/** Lists every account with a sender, those with dead letters or waiting webhooks first. */
export async function listAccountsAllAccounts(
	sql: Sql,
	page: PageQuery & { search: string },
): Promise<WebhookAccount[]> {
	return sql<WebhookAccount[]>`
		with accounts as (
			select s.account_id, s.display_phone_number, u.id as user_id, u.name, u.email ${withSender(sql, page.search)}
		), waiting as (
			select account_id, count(*) as deliveries, min(received_at) as oldest, max(received_at) as newest
			from webhook_deliveries where kept_because is null group by account_id
		), kept as (
			select account_id, count(*) as deliveries, max(received_at) as newest
			from webhook_deliveries where kept_because is not null group by account_id
		)
		select a.user_id as "userId", a.name, a.email, a.display_phone_number as "displayPhoneNumber",
			greatest(t.last_received_at, w.newest, k.newest) as "lastDeliveryAt", t.last_processed_at as "lastProcessedAt",
			coalesce(t.processed_count, 0) as processed, coalesce(t.dropped_count, 0) as dropped,
			coalesce(t.ignored_count, 0) as ignored, coalesce(w.deliveries, 0) as waiting,
			coalesce(extract(epoch from now() - w.oldest)::int, 0) as "lagSeconds",
			least(coalesce(k.deliveries, 0), ${MAX_COUNTED})::int as kept
		from accounts a
		left join webhook_totals t on t.account_id = a.account_id
		left join waiting w on w.account_id = a.account_id
		left join kept k on k.account_id = a.account_id
		order by coalesce(k.deliveries, 0) + coalesce(w.deliveries, 0) > 0 desc, "lastDeliveryAt" desc nulls last, a.user_id
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

export async function countAccountsAllAccounts(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total ${withSender(sql, search)}`
	return row?.total ?? 0
}

/**
 * Lists the newest dead letters of an account, at most MAX_LISTED, with the first MAX_SHOWN_CHARACTERS of each body.
 */
export async function listDeadLetters(sql: Sql, accountId: AccountId): Promise<DeadLetter[]> {
	return sql<DeadLetter[]>`
		select id, received_at as "receivedAt", kept_because as reason, left(body, ${MAX_SHOWN_CHARACTERS}) as body
		from webhook_deliveries
		where account_id = ${accountId} and kept_because is not null
		order by id desc
		limit ${MAX_LISTED}
	`
}

/** Queues one dead letter again. Returns its reason; undefined when there is no such dead letter. */
export async function requeueDeadLetter(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ reason: string }[]>`
		with dead_letter as (
			select id, kept_because from webhook_deliveries
			where account_id = ${accountId} and id = ${id} and kept_because is not null
			for update
		)
		update webhook_deliveries d set kept_because = null
		from dead_letter k
		where d.account_id = ${accountId} and d.id = k.id
		returning k.kept_because as reason
	`
	return row?.reason
}

export async function deleteOldDeadLetters(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isOld = sql`kept_because is not null and received_at < now() - ${age}::interval`
	const { count } = await sql`
		delete from webhook_deliveries where account_id = ${accountId} and ${isOld} and id in (
			select id from webhook_deliveries where account_id = ${accountId} and ${isOld}
			order by id
			limit ${limit}
		)
	`
	return count
}

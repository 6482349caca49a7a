import { RUPEES, type Billing } from '#features/whatsapp/rules.ts'
import type { Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

export interface AccountCounts {
	users: number
	admins: number
	inactive: number
	newThisMonth: number
}

/** Counts owners and admins, inactive ones included. A month is the last 30 days. */
export async function countAccountsAllAccounts(sql: Sql): Promise<AccountCounts> {
	const [row] = await sql<AccountCounts[]>`
		select count(*) filter (where role = 'user') as users, count(*) filter (where role = 'admin') as admins,
			count(*) filter (where not is_active) as inactive,
			count(*) filter (where created_at > now() - interval '30 days') as "newThisMonth"
		from users
		where deleted_at is null and works_in is null
	`
	return row ?? { users: 0, admins: 0, inactive: 0, newThisMonth: 0 }
}

/** Sums all wallets, including the wallets of deleted users, whose money is still owed. */
export async function sumMoneyAllAccounts(sql: Sql): Promise<{ availablePaise: number; heldPaise: number }> {
	const [row] = await sql<{ availablePaise: number; heldPaise: number }[]>`
		select coalesce(sum(available_paise), 0)::bigint as "availablePaise",
			coalesce(sum(held_paise), 0)::bigint as "heldPaise"
		from wallets
	`
	return row ?? { availablePaise: 0, heldPaise: 0 }
}

/** A user in a list of at most `limit`; `total` is the count without the limit. */
export interface AffectedUser {
	id: number
	name: string
	email: string
	total: number
}

interface StoppedSender extends AffectedUser {
	reason: string
	since: Date | null
}

/** Returns senders that may not send, the most recently stopped first. */
export async function listStoppedSendersAllAccounts(sql: Sql, limit: number): Promise<StoppedSender[]> {
	return sql<StoppedSender[]>`
		select u.id, u.name, u.email, coalesce(s.stopped_reason_for_admin, s.stopped_reason) as reason, s.stopped_at as since, count(*) over () as total
		from senders s
		join users u on u.account_id = s.account_id
		where s.stopped_reason is not null and u.deleted_at is null and u.role = 'user'
		order by s.stopped_at desc nulls last, u.id
		limit ${limit}
	`
}

/** Returns senders that wait until WhatsApp answers again, each with the cause. */
export async function listWaitingSendersAllAccounts(sql: Sql, limit: number): Promise<Omit<StoppedSender, 'since'>[]> {
	return sql<Omit<StoppedSender, 'since'>[]>`
		select u.id, u.name, u.email, coalesce(s.waiting_cause, s.waiting_reason) as reason, count(*) over () as total
		from senders s
		join users u on u.account_id = s.account_id
		where s.waiting_reason is not null and s.stopped_reason is null and u.deleted_at is null and u.role = 'user'
		order by u.id
		limit ${limit}
	`
}

/** Returns senders without status updates, the latest alarm first. */
export async function listSilentSendersAllAccounts(sql: Sql, limit: number): Promise<Omit<StoppedSender, 'reason'>[]> {
	return sql<Omit<StoppedSender, 'reason'>[]>`
		select u.id, u.name, u.email, s.silence_notified_at as since, count(*) over () as total
		from senders s
		join users u on u.account_id = s.account_id
		where s.silence_notified_at is not null and u.deleted_at is null and u.role = 'user'
		order by s.silence_notified_at desc, u.id
		limit ${limit}
	`
}

export type BilledSender = Omit<StoppedSender, 'reason' | 'since' | 'total'> &
	Omit<Billing, 'billingTimezoneId'> & { displayPhoneNumber: string | null }

/**
 * Returns senders whose billing may be a problem, in the order of their users' names: those without a payment method and those
 * that are not billed in rupees. `billingProblems` decides.
 */
export async function listDoubtfullyBilledAllAccounts(sql: Sql, limit: number): Promise<BilledSender[]> {
	return sql<BilledSender[]>`
		select u.id, u.name, u.email, s.billing_currency as "billingCurrency", s.billing_country as "billingCountry",
			s.has_payment_method as "hasPaymentMethod", s.display_phone_number as "displayPhoneNumber"
		from senders s
		join users u on u.account_id = s.account_id
		where (not s.has_payment_method or s.billing_currency <> ${RUPEES}) and u.deleted_at is null and u.role = 'user'
		order by u.name, u.id
		limit ${limit}
	`
}

export interface WaitingRefunds extends Omit<StoppedSender, 'reason'> {
	messages: number
	paise: number
}

/** Returns accounts with refunds that wait for an admin, the longest waiting first. */
export async function listWaitingRefundsAllAccounts(sql: Sql, limit: number): Promise<WaitingRefunds[]> {
	return sql<WaitingRefunds[]>`
		select u.id, u.name, u.email, w.messages, w.paise, w.since, count(*) over () as total
		from (
			select account_id, sum(waiting_count) as messages, sum(waiting_count::bigint * price_paise)::bigint as paise,
				min(first_at) as since
			from waiting_refunds
			where waiting_count > 0
			group by account_id
		) w
		join users u on u.account_id = w.account_id
		where u.role = 'user'
		order by w.since, u.id
		limit ${limit}
	`
}

/**
 * Refunds of a week are unusual above both limits: a count and a share of the charges. With an account's app secret,
 * failures can be forged.
 */
const MIN_REFUNDED = 100
const MIN_REFUNDED_SHARE = 0.2

export interface UnusualRefunds extends AffectedUser {
	refunded: number
	charged: number
}

const unusualRefunds = (sql: Sql) => sql`
	select account_id, refunded, charged
	from (
		select account_id, coalesce(sum(message_count) filter (where kind = 'refund'), 0) as refunded,
			coalesce(sum(message_count) filter (where kind = 'capture'), 0) as charged
		from statement_lines
		where day > ${INDIAN_TODAY} - 7
		group by account_id
	) w
	where refunded > ${MIN_REFUNDED} and refunded > charged * ${MIN_REFUNDED_SHARE}::float8
`

/** Returns accounts with unusually many refunds in the last seven Indian days, the most refunds first. */
export async function listUnusualRefundsAllAccounts(sql: Sql, limit: number): Promise<UnusualRefunds[]> {
	return sql<UnusualRefunds[]>`
		select u.id, u.name, u.email, l.refunded, l.charged, count(*) over () as total
		from (${unusualRefunds(sql)}) l
		join users u on u.account_id = l.account_id
		where u.deleted_at is null and u.role = 'user'
		order by l.refunded desc, u.id
		limit ${limit}
	`
}

/** Returns active users without WhatsApp credentials, the newest first. */
export async function listUsersWithoutSenderAllAccounts(sql: Sql, limit: number): Promise<AffectedUser[]> {
	return sql<AffectedUser[]>`
		select u.id, u.name, u.email, count(*) over () as total
		from users u
		left join senders s on s.account_id = u.account_id
		where s.account_id is null and u.role = 'user' and u.is_active and u.deleted_at is null
		order by u.id desc
		limit ${limit}
	`
}

/** Returns active users whose balance is below the price of one message, the newest first. */
export async function listUsersWithoutMoneyAllAccounts(sql: Sql, limit: number): Promise<AffectedUser[]> {
	return sql<AffectedUser[]>`
		select u.id, u.name, u.email, count(*) over () as total
		from users u
		join wallets w on w.account_id = u.account_id
		join prices p on p.account_id = w.account_id
		where w.available_paise < least(p.marketing_paise, p.utility_paise)
			and u.role = 'user' and u.is_active and u.deleted_at is null
		order by u.id desc
		limit ${limit}
	`
}

/**
 * Counts the users in any of the lists above, each once however many reasons there are. `billing` has the ids of those whose
 * billing is a problem.
 */
export async function countUsersNeedingAttentionAllAccounts(sql: Sql, billing: readonly number[]): Promise<number> {
	const [row] = await sql<{ users: number }[]>`
		select count(*) as users
		from users u
		left join senders s on s.account_id = u.account_id
		left join wallets w on w.account_id = u.account_id
		left join prices p on p.account_id = u.account_id
		where u.role = 'user' and (
			u.account_id in (select account_id from waiting_refunds where waiting_count > 0)
			or u.deleted_at is null and (
				s.stopped_reason is not null or s.waiting_reason is not null or s.silence_notified_at is not null
				or u.id = any(${billing}::bigint[])
				or u.account_id in (select account_id from (${unusualRefunds(sql)}) l)
				or u.is_active and (
					s.account_id is null or w.available_paise < least(p.marketing_paise, p.utility_paise)
				)
			)
		)
	`
	return row?.users ?? 0
}

import type { AccountId, Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { PaymentFault, PaymentState } from '../contract.ts'
import { columnsAllAccounts, paymentsAllAccounts, type CheckCause, type Payment } from './queries.ts'

/** Key of a payment: our reference, or the provider's id of the part that was credited or has a fault. */
export type ProviderKey = { reference: string } | { providerPaymentId: string }
export type PaymentKey = ProviderKey | { id: number }

/** Makes a check of the account's payments with this key due now. Returns the number of payments: 0 for an unknown key. */
export async function requestCheck(
	sql: Sql,
	accountId: AccountId,
	{ key, cause }: { key: PaymentKey; cause: CheckCause },
): Promise<number> {
	const isKey =
		'reference' in key
			? sql`reference = ${key.reference}`
			: 'id' in key
				? sql`id = ${key.id}`
				: sql`provider_payment_id = ${key.providerPaymentId}`
	const rows = await sql`
		update payments set check_at = now(), check_cause = ${cause}
		where account_id = ${accountId} and ${isKey}
		returning 1
	`
	return rows.length
}

/** Returns the accounts of the payments with this key. A reference begins with its account's id. */
export async function listPayersAllAccounts(sql: Sql, key: ProviderKey): Promise<AccountId[]> {
	const isKey =
		'reference' in key
			? sql`account_id = ${/^(\d{1,15})-/.exec(key.reference)?.[1] ?? null}::bigint and reference = ${key.reference}`
			: sql`provider_payment_id = ${key.providerPaymentId}`
	const rows = await sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from payments where ${isKey} limit 10
	`
	return rows.map(({ accountId }) => accountId)
}

export interface DuePayment {
	accountId: AccountId
	id: number
}

/** Returns payments whose check is due, daily checks last, the longest overdue first. */
export async function listDueAllAccounts(sql: Sql, limit: number): Promise<DuePayment[]> {
	const due = await scanAllAccounts(
		sql,
		(one) => sql<(DuePayment & { rank: number; checkAt: Date })[]>`
			select account_id as "accountId", id, ${isRoutine(sql)}::int as rank, check_at as "checkAt" from payments
			where check_at <= now() ${one === null ? sql`` : sql`and account_id = ${one}`}
			order by rank, check_at
			limit ${limit}
		`,
	)
	return due.toSorted((a, b) => a.rank - b.rank || a.checkAt.getTime() - b.checkAt.getTime()).slice(0, limit)
}

/** Returns the SQL condition of a daily check: no webhook or return has caused it, and the payment is paid or has ended. */
const isRoutine = (sql: Sql) => sql`(check_cause = 'poll' and state <> 'created')`

/** The right of one process to check a payment until `until`. Then another process may claim the check. */
export interface Claim {
	cause: CheckCause
	until: Date
}

/** Maximum seconds after which a failed daily check is repeated. */
const MAX_ROUTINE_SECONDS = 24 * 60 * 60

/**
 * Claims a due check. The claim ends between `minSeconds` and `maxSeconds`, later for an older payment, so that a failing check
 * is repeated at growing intervals, and a daily one once a day. Returns undefined when the check is not due any more.
 */
export async function claimCheck(
	sql: Sql,
	accountId: AccountId,
	{ id, minSeconds, maxSeconds }: { id: number; minSeconds: number; maxSeconds: number },
): Promise<Claim | undefined> {
	// In UTC, because Citus refuses calculations with columns that depend on the session's time zone.
	const [row] = await sql<Claim[]>`
		update payments
		set check_at = date_trunc('milliseconds', now() at time zone 'utc' + make_interval(secs => greatest(${minSeconds}::float8,
			least(case when ${isRoutine(sql)} then ${MAX_ROUTINE_SECONDS}::float8 else ${maxSeconds}::float8 end,
				extract(epoch from now() at time zone 'utc' - created_at at time zone 'utc')::float8 / 8)))) at time zone 'utc'
		where account_id = ${accountId} and id = ${id} and check_at <= now()
		returning check_at as until, check_cause as cause
	`
	return row
}

/** Locks a payment until the transaction ends, and returns it. */
export async function lockPayment(sql: Sql, accountId: AccountId, id: number): Promise<Payment> {
	await sql`select 1 from payments where account_id = ${accountId} and id = ${id} for update`
	const [row] = await sql<Payment[]>`
		select ${columnsAllAccounts(sql)} from ${paymentsAllAccounts(sql)} where p.account_id = ${accountId} and p.id = ${id}
	`
	if (!row) throw new Error(`account ${accountId} has no payment ${id}`)
	return row
}

export interface CheckedPayment {
	state: PaymentState
	fault: PaymentFault | null
	providerPaymentId: string | null
	method: string | null
	paidAt: Date | null
	refundedPaise: number
	creditedBy: CheckCause | null
}

export async function updateChecked(
	sql: Sql,
	accountId: AccountId,
	{ id, ...checked }: CheckedPayment & { id: number },
): Promise<void> {
	await sql`
		update payments
		set state = ${checked.state}, fault = ${checked.fault}, provider_payment_id = ${checked.providerPaymentId},
			method = ${checked.method}, paid_at = ${checked.paidAt}, refunded_paise = ${checked.refundedPaise},
			credited_by = ${checked.creditedBy}
		where account_id = ${accountId} and id = ${id}
	`
}

/**
 * Sets the time of the next check in seconds, or none for null. A check that was asked for since the claim stays due.
 */
export async function updateNextCheck(
	sql: Sql,
	accountId: AccountId,
	{ id, claim, seconds }: { id: number; claim: Claim; seconds: number | null },
): Promise<void> {
	await sql`
		update payments
		set check_at = now() + make_interval(secs => ${seconds}::float8), check_cause = 'poll'
		where account_id = ${accountId} and id = ${id} and check_at = ${claim.until}
	`
}

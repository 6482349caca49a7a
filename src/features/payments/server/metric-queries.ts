import type { Sql } from '#lib/server/db.ts'

export interface PaymentFigures {
	/** Open payments whose page expired more than an hour ago, and whose outcome the provider has not named. */
	overdue: number
	/** Seconds by which the most overdue check is late. */
	checkDelaySeconds: number
	/** Payments with a fault, which an admin has to resolve. */
	faulty: number
	/** Payments of the last day that were credited, and those of them that only the poll found. */
	credited: number
	creditedByPoll: number
	/** Paise of refunded payments that wallets could not pay back. */
	owedPaise: number
}

export async function getPaymentFiguresAllAccounts(sql: Sql): Promise<PaymentFigures> {
	const [row] = await sql<[PaymentFigures]>`
		select
			(select count(*) from payments where state = 'created' and expires_at < now() - interval '1 hour') as overdue,
			(
				select coalesce(greatest(extract(epoch from now() - min(check_at)), 0), 0)::float8 from payments
				where check_at is not null
			) as "checkDelaySeconds",
			(select count(*) from payments where fault is not null) as faulty,
			(
				select count(*) from payments where paid_at > now() - interval '1 day' and credited_by is not null
			) as credited,
			(
				select count(*) from payments where paid_at > now() - interval '1 day' and credited_by = 'poll'
			) as "creditedByPoll",
			(select coalesce(sum(owed_paise), 0)::float8 from wallets where owed_paise > 0) as "owedPaise"
	`
	return row
}

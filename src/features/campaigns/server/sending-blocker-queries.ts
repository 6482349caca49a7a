import type { AccountId, Sql } from '#lib/server/db.ts'

export interface StandingFacts {
	hasSender: boolean
	stoppedReason: string | null
	/** The reason why sending waits, as when Meta does not answer. */
	waitingReason: string | null
	getsNoStatusUpdates: boolean
	billingCurrency: string | null
	billingCountry: string | null
	hasPaymentMethod: boolean | null
	displayPhoneNumber: string | null
	availablePaise: number
	/** Balance below which the account is warned; 0 for never. */
	lowBalancePaise: number
	/** Price of the cheapest message. */
	leastPricePaise: number
}

/** Returns the facts. Reads by primary keys only, because every screen calls it. */
export async function findStandingFacts(sql: Sql, accountId: AccountId): Promise<StandingFacts | undefined> {
	const [row] = await sql<StandingFacts[]>`
		select s.account_id is not null as "hasSender", s.stopped_reason as "stoppedReason",
			s.waiting_reason as "waitingReason", s.silence_notified_at is not null as "getsNoStatusUpdates",
			s.billing_currency as "billingCurrency", s.billing_country as "billingCountry",
			s.has_payment_method as "hasPaymentMethod", s.display_phone_number as "displayPhoneNumber",
			w.available_paise as "availablePaise", w.low_balance_paise as "lowBalancePaise",
			least(p.marketing_paise, p.utility_paise) as "leastPricePaise"
		from wallets w
		join prices p on p.account_id = w.account_id
		left join senders s on s.account_id = w.account_id
		where w.account_id = ${accountId}
	`
	return row
}

import type { PaymentAmounts } from '#features/payments/rules.ts'
import { insertPayment } from '#features/payments/server/queries.ts'
import type { AccountId, Db } from '#lib/server/db.ts'

const DAY_SECONDS = 24 * 60 * 60

interface UnpaidPayment extends PaymentAmounts {
	userId: number
	reference: string
	gstPercent: number
	/** Age in days. */
	days: number
}

/** Creates an online payment that expired without being paid, so that it changes no balance. Returns its id. */
export async function createExpiredPayment(db: Db, accountId: AccountId, payment: UnpaidPayment): Promise<number> {
	const { reference, days } = payment
	const id = await insertPayment(db, accountId, {
		...payment,
		requestId: reference,
		placeOfSupply: null,
		back: undefined,
		lifeSeconds: DAY_SECONDS,
		firstCheckSeconds: DAY_SECONDS,
	})
	if (id === null) throw new Error(`the payment ${reference} exists already`)
	await db`
		update payments
		set state = 'expired', check_at = null, created_at = (created_at at time zone 'UTC' - make_interval(days => ${days})) at time zone 'UTC',
			expires_at = (expires_at at time zone 'UTC' - make_interval(days => ${days})) at time zone 'UTC'
		where account_id = ${accountId} and id = ${id}
	`
	return id
}

import { ONBOARDED, type SenderLimits } from '#features/whatsapp/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Limits of a sender with the time at which they were read; null before the first reading. */
export type StoredLimits = SenderLimits & { readAt: Date | null }

const columns = (sql: Sql) => sql`
	portfolio_id as "portfolioId", messaging_limit as "messagingLimit", quality, health_status as "healthStatus",
	health_advice as "healthAdvice", name_status as "nameStatus", verification_status as "verificationStatus",
	throughput_level as "throughputLevel", is_on_phone_app as "isOnPhoneApp", marketing_onboarding as "marketingOnboarding",
	limits_read_at as "readAt"
`

export async function findLimits(sql: Sql, accountId: AccountId): Promise<StoredLimits | undefined> {
	const [row] = await sql<StoredLimits[]>`select ${columns(sql)} from senders where account_id = ${accountId}`
	return row
}

/** Returns the limits of this number and locks the sender's row until the transaction ends; undefined for another number. */
export async function lockLimits(
	sql: Sql,
	accountId: AccountId,
	{ phoneNumberId, wabaId }: { phoneNumberId: string; wabaId: string },
): Promise<StoredLimits | undefined> {
	const [row] = await sql<StoredLimits[]>`
		select ${columns(sql)} from senders
		where account_id = ${accountId} and phone_number_id = ${phoneNumberId} and waba_id = ${wabaId}
		for no key update
	`
	return row
}

/** Writes the limits as read from Meta at `readAt`, a time of the database. A pace of null leaves the pace unchanged. */
export async function updateLimits(
	sql: Sql,
	accountId: AccountId,
	{
		limits,
		readAt,
		messagesPerSecond,
	}: { limits: SenderLimits; readAt: Date | null; messagesPerSecond: number | null },
): Promise<void> {
	await sql`
		update senders set portfolio_id = ${limits.portfolioId}, messaging_limit = ${limits.messagingLimit},
			quality = ${limits.quality}, health_status = ${limits.healthStatus}, health_advice = ${limits.healthAdvice},
			name_status = ${limits.nameStatus}, verification_status = ${limits.verificationStatus},
			throughput_level = ${limits.throughputLevel}, is_on_phone_app = ${limits.isOnPhoneApp},
			marketing_onboarded_at = case
				when ${limits.marketingOnboarding} is distinct from ${ONBOARDED} then null
				when marketing_onboarding is distinct from ${ONBOARDED} then ${readAt}::timestamptz
				else marketing_onboarded_at end,
			marketing_onboarding = ${limits.marketingOnboarding}, limits_read_at = ${readAt},
			messages_per_second = coalesce(${messagesPerSecond}::integer, messages_per_second)
		where account_id = ${accountId}
	`
}

import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Billing, StopReason, UsageOfDay } from '../rules.ts'

/** Row of `senders`. The vault encrypts fields whose name begins with `encrypted`. */
export interface StoredSender extends Billing {
	phoneNumberId: string
	wabaId: string
	encryptedAccessToken: Buffer
	appId: string | null
	encryptedAppSecret: Buffer | null
	webhookKey: string
	verifyToken: string
	verifiedName: string | null
	businessName: string | null
	displayPhoneNumber: string | null
	messagesPerSecond: number
	stoppedReason: string | null
	stoppedReasonForAdmin: string | null
	/** Error of the current network outage, for admins; null while sending works. */
	waitingCause: string | null
}

export type SenderToSave = Omit<StoredSender, 'stoppedReason' | 'stoppedReasonForAdmin' | 'waitingCause'> & {
	profilePictureUrl: string | null
}

const columns = (sql: Sql) => sql`
	phone_number_id as "phoneNumberId", waba_id as "wabaId", access_token_sealed as "encryptedAccessToken",
	app_id as "appId", app_secret_sealed as "encryptedAppSecret", webhook_key as "webhookKey",
	verify_token as "verifyToken", verified_name as "verifiedName", business_name as "businessName",
	display_phone_number as "displayPhoneNumber", messages_per_second as "messagesPerSecond", stopped_reason as "stoppedReason",
	coalesce(stopped_reason_for_admin, stopped_reason) as "stoppedReasonForAdmin",
	billing_currency as "billingCurrency", billing_country as "billingCountry", billing_timezone_id as "billingTimezoneId",
	has_payment_method as "hasPaymentMethod",
	case when waiting_reason is not null then coalesce(waiting_cause, waiting_reason) end as "waitingCause"
`

export async function findSender(sql: Sql, accountId: AccountId): Promise<StoredSender | undefined> {
	const [row] = await sql<StoredSender[]>`select ${columns(sql)} from senders where account_id = ${accountId}`
	return row
}

/** Returns the sender and locks its row until the transaction ends; undefined when the account has none. */
export async function lockSender(sql: Sql, accountId: AccountId): Promise<StoredSender | undefined> {
	const [row] = await sql<StoredSender[]>`
		select ${columns(sql)} from senders where account_id = ${accountId} for no key update
	`
	return row
}

type Business = Pick<StoredSender, 'verifiedName' | 'businessName' | 'appId'> & { picture: string | null }

/**
 * Returns the account's business profile; undefined without a sender. A picture is returned only as a `data:` URL: rows
 * with an address hold one that has expired.
 */
export async function findBusiness(sql: Sql, accountId: AccountId): Promise<Business | undefined> {
	const [row] = await sql<Business[]>`
		select verified_name as "verifiedName", business_name as "businessName", app_id as "appId",
			case when profile_picture_url like 'data:%' then profile_picture_url end as picture
		from senders where account_id = ${accountId}
	`
	return row
}

/** Inserts or updates a sender. An update keeps the webhook key and the verify token, which Meta already uses. */
export async function saveSender(sql: Sql, accountId: AccountId, sender: SenderToSave): Promise<StoredSender> {
	const [row] = await sql<StoredSender[]>`
		insert into senders (
			account_id, phone_number_id, waba_id, access_token_sealed, app_id, app_secret_sealed, webhook_key, verify_token,
			verified_name, business_name, display_phone_number, profile_picture_url, messages_per_second, billing_currency,
			billing_country, billing_timezone_id, has_payment_method, checked_at
		)
		values (
			${accountId}, ${sender.phoneNumberId}, ${sender.wabaId}, ${sender.encryptedAccessToken}, ${sender.appId},
			${sender.encryptedAppSecret}, ${sender.webhookKey}, ${sender.verifyToken}, ${sender.verifiedName},
			${sender.businessName}, ${sender.displayPhoneNumber}, ${sender.profilePictureUrl},
			${sender.messagesPerSecond}, ${sender.billingCurrency}, ${sender.billingCountry}, ${sender.billingTimezoneId},
			${sender.hasPaymentMethod}, now()
		)
		on conflict (account_id) do update set
			phone_number_id = excluded.phone_number_id, waba_id = excluded.waba_id,
			access_token_sealed = excluded.access_token_sealed, app_id = excluded.app_id,
			app_secret_sealed = excluded.app_secret_sealed, verified_name = excluded.verified_name,
			business_name = excluded.business_name, display_phone_number = excluded.display_phone_number,
			profile_picture_url = excluded.profile_picture_url, messages_per_second = excluded.messages_per_second,
			billing_currency = excluded.billing_currency, billing_country = excluded.billing_country,
			billing_timezone_id = excluded.billing_timezone_id, has_payment_method = excluded.has_payment_method,
			stopped_reason = null, stopped_reason_for_admin = null, stopped_at = null, checked_at = excluded.checked_at, updated_at = excluded.updated_at
		returning ${columns(sql)}
	`
	if (!row) throw new Error('the saved sender did not come back')
	return row
}

/** Records a number that the account replaced by another. */
export async function insertFormerNumber(sql: Sql, accountId: AccountId, phoneNumberId: string): Promise<void> {
	await sql`
		insert into former_numbers (account_id, phone_number_id) values (${accountId}, ${phoneNumberId}) on conflict do nothing
	`
}

/**
 * Serializes the saving of senders with this number. A unique index is not possible, because it would span accounts.
 */
export async function lockPhoneNumberAllAccounts(sql: Sql, phoneNumberId: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext('phone number'), hashtext(${phoneNumberId}))`
}

/** Returns true when another account that is not deleted sends from this number. */
export async function isNumberTakenAllAccounts(
	sql: Sql,
	accountId: AccountId,
	phoneNumberId: string,
): Promise<boolean> {
	const rows = await sql`
		select 1
		from senders s
		join users u on u.account_id = s.account_id
		where s.phone_number_id = ${phoneNumberId} and s.account_id <> ${accountId} and u.deleted_at is null
		limit 1
	`
	return rows.length > 0
}

/** Stops the sender. Returns false when it was stopped already. */
export async function updateStopped(
	sql: Sql,
	accountId: AccountId,
	{ user: reason, admin }: StopReason,
): Promise<boolean> {
	const rows = await sql`
		update senders set stopped_reason = ${reason}, stopped_reason_for_admin = ${admin}, stopped_at = now()
		where account_id = ${accountId} and stopped_reason is null
		returning 1
	`
	return rows.length > 0
}

/** Writes the number's name as read from Meta. */
export async function updateVerifiedName(sql: Sql, accountId: AccountId, verifiedName: string): Promise<void> {
	await sql`update senders set verified_name = ${verifiedName} where account_id = ${accountId}`
}

/** Writes a granted throughput, except of a number in the phone app, whose pace is fixed. */
export async function updatePace(sql: Sql, accountId: AccountId, messagesPerSecond: number): Promise<void> {
	await sql`
		update senders set messages_per_second = ${messagesPerSecond}
		where account_id = ${accountId} and is_on_phone_app is not true
	`
}

export async function updateBilling(sql: Sql, accountId: AccountId, billing: Billing): Promise<void> {
	await sql`
		update senders set billing_currency = ${billing.billingCurrency}, billing_country = ${billing.billingCountry},
			billing_timezone_id = ${billing.billingTimezoneId}, has_payment_method = ${billing.hasPaymentMethod}
		where account_id = ${accountId}
	`
}

/**
 * Marks the number as read now. Returns false when it was read, or its credentials were checked, within a day. A number
 * whose limits were never read is due after an hour.
 */
export async function takeNumberReading(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`
		update senders set number_read_at = now()
		where account_id = ${accountId} and (
			greatest(number_read_at, checked_at) < now() - interval '1 day'
			or limits_read_at is null and (number_read_at is null or number_read_at < now() - interval '1 hour')
		)
		returning 1
	`
	return rows.length > 0
}

/** Resumes the sender. The resuming user vouches for the credentials, so `checked_at` is set as well. */
export async function updateResumed(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		update senders
		set stopped_reason = null, stopped_reason_for_admin = null, stopped_at = null, checked_at = now()
		where account_id = ${accountId}
	`
}

/**
 * Returns the time from which faults in status updates count: the last check of the sender, or `hours` ago when that is
 * later. Undefined when the account has no sender.
 */
export async function findCheckedAt(sql: Sql, accountId: AccountId, hours: number): Promise<Date | undefined> {
	const [row] = await sql<{ at: Date }[]>`
		select greatest(checked_at, now() - ${hours} * interval '1 hour') as at from senders where account_id = ${accountId}
	`
	return row?.at
}

export interface EncryptedSecrets {
	accessToken: Buffer
	appSecret: Buffer | null
}

/** Lists the encrypted secrets of up to 1,000 accounts with ids above `after`. */
export async function listSecretsAllAccounts(
	sql: Sql,
	after: number,
): Promise<(EncryptedSecrets & { accountId: AccountId })[]> {
	return sql<(EncryptedSecrets & { accountId: AccountId })[]>`
		select account_id as "accountId", access_token_sealed as "accessToken", app_secret_sealed as "appSecret"
		from senders where account_id > ${after} order by account_id limit 1000
	`
}

/** Lists up to 1,000 accounts with ids above `after` whose sender was stopped for this reason. */
export async function listStoppedAllAccounts(
	sql: Sql,
	{ reason, after }: { reason: string; after: number },
): Promise<{ accountId: AccountId; accessToken: Buffer }[]> {
	return sql<{ accountId: AccountId; accessToken: Buffer }[]>`
		select account_id as "accountId", access_token_sealed as "accessToken"
		from senders where account_id > ${after} and stopped_reason = ${reason} order by account_id limit 1000
	`
}

/** Writes re-encrypted secrets, unless other secrets were saved meanwhile. */
export async function updateSecrets(
	sql: Sql,
	accountId: AccountId,
	{ before, after }: { before: EncryptedSecrets; after: EncryptedSecrets },
): Promise<void> {
	await sql`
		update senders set access_token_sealed = ${after.accessToken}, app_secret_sealed = ${after.appSecret}
		where account_id = ${accountId} and access_token_sealed = ${before.accessToken}
			and app_secret_sealed is not distinct from ${before.appSecret}
	`
}

/** Stores the last reading of Meta's own counts of an account's messages. */
export async function upsertUsageCheck(
	sql: Sql,
	accountId: AccountId,
	{ isReadable, days }: { isReadable: boolean; days: readonly UsageOfDay[] },
): Promise<void> {
	const [row] = await sql<{ at: Date }[]>`select now() as at`
	await sql`
		insert into usage_checks (account_id, checked_at, is_readable, days)
		values (${accountId}, ${row?.at ?? null}, ${isReadable}, ${JSON.stringify(days)})
		on conflict (account_id) do update
		set checked_at = excluded.checked_at, is_readable = excluded.is_readable, days = excluded.days
	`
}

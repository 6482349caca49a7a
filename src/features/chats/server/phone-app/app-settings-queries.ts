import type { PhoneAppSettings } from '#features/chats/contract.ts'
import { OPT_IN_TEXT, OPT_OUT_TEXT } from '#features/chats/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns which data of the phone app the account stores: none by default. */
export async function findAppSettings(sql: Sql, accountId: AccountId): Promise<PhoneAppSettings> {
	const [row] = await sql<PhoneAppSettings[]>`
		select app_history_since is not null as history, app_contacts_since is not null as contacts
		from chat_settings where account_id = ${accountId}
	`
	return row ?? { history: false, contacts: false }
}

/** Stores which data of the phone app the account stores, from `at` on. */
export async function upsertAppSettings(
	sql: Sql,
	accountId: AccountId,
	{ history, contacts, at }: PhoneAppSettings & { at: Date },
): Promise<void> {
	const [historySince, contactsSince] = [history ? at : null, contacts ? at : null]
	await sql`
		insert into chat_settings as s (account_id, opt_out_text, opt_in_text, app_history_since, app_contacts_since)
		values (${accountId}, ${OPT_OUT_TEXT}, ${OPT_IN_TEXT}, ${historySince}, ${contactsSince})
		on conflict (account_id) do update
		set app_history_since = excluded.app_history_since, app_contacts_since = excluded.app_contacts_since
	`
}

/** Returns true when the account's number is also in the phone app; null when that is unknown or the account has no number. */
export async function findIsInApp(sql: Sql, accountId: AccountId): Promise<boolean | null> {
	const [row] = await sql<{ isInApp: boolean | null }[]>`
		select is_on_phone_app as "isInApp" from senders where account_id = ${accountId}
	`
	return row?.isInApp ?? null
}

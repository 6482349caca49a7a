import type { AccountId, Sql } from '#lib/server/db.ts'
import type { ChatSettings, ChatSettingsBody, QuickReply } from '../contract.ts'
import { OPT_IN_TEXT, OPT_OUT_TEXT } from '../rules.ts'

const DEFAULTS: ChatSettings = {
	confirms: false,
	optOutText: OPT_OUT_TEXT,
	optInText: OPT_IN_TEXT,
	optOutWords: [],
	optOutButtons: [],
}

const columns = (sql: Sql) => sql`
	confirms_opt_out as confirms, opt_out_text as "optOutText", opt_in_text as "optInText",
	opt_out_words as "optOutWords", opt_out_buttons as "optOutButtons"
`

export async function findSettings(sql: Sql, accountId: AccountId): Promise<ChatSettings> {
	const [row] = await sql<ChatSettings[]>`select ${columns(sql)} from chat_settings where account_id = ${accountId}`
	return row ?? DEFAULTS
}

/** Saves the settings and returns all of them. Missing words and buttons keep their stored values. */
export async function upsertSettings(
	sql: Sql,
	accountId: AccountId,
	settings: ChatSettingsBody,
): Promise<ChatSettings> {
	const words = settings.optOutWords ?? null
	const buttons = settings.optOutButtons ? JSON.stringify(settings.optOutButtons) : null
	const [row] = await sql<ChatSettings[]>`
		insert into chat_settings as s (
			account_id, confirms_opt_out, opt_out_text, opt_in_text, opt_out_words, opt_out_buttons
		)
		values (
			${accountId}, ${settings.confirms}, ${settings.optOutText}, ${settings.optInText},
			coalesce(${words}::text[], '{}'), coalesce(${buttons}::jsonb, '[]')
		)
		on conflict (account_id) do update
		set confirms_opt_out = excluded.confirms_opt_out, opt_out_text = excluded.opt_out_text,
			opt_in_text = excluded.opt_in_text, opt_out_words = coalesce(${words}::text[], s.opt_out_words),
			opt_out_buttons = coalesce(${buttons}::jsonb, s.opt_out_buttons)
		returning ${columns(sql)}
	`
	return row ?? DEFAULTS
}

const MAX_QUICK_REPLIES = 1000

/**
 * Lists the quick replies of the account's templates, each text of a template once, ordered by template and text, at
 * most `MAX_QUICK_REPLIES`.
 */
export async function listQuickReplies(sql: Sql, accountId: AccountId): Promise<QuickReply[]> {
	return sql<QuickReply[]>`
		select distinct t.name as template, trim(b.button ->> 'text') as text
		from templates t
		cross join lateral jsonb_path_query(
			t.components,
			'$[*] ? (@.type like_regex "^buttons$" flag "i").buttons[*] ? (@.type like_regex "^quick_reply$" flag "i")'
		) as b (button)
		where t.account_id = ${accountId} and trim(b.button ->> 'text') <> ''
		order by template, text
		limit ${MAX_QUICK_REPLIES}
	`
}

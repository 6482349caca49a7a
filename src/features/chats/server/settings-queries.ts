import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { ChatSettings } from '../contract.ts'
import { OPT_IN_TEXT, OPT_OUT_TEXT } from '../rules.ts'

export async function findSettings(sql: Sql, owner: OwnerId): Promise<ChatSettings> {
	const [row] = await sql<ChatSettings[]>`
		select confirms_opt_out as confirms, opt_out_text as "optOutText", opt_in_text as "optInText"
		from chat_settings where account_id = ${owner}
	`
	return row ?? { confirms: false, optOutText: OPT_OUT_TEXT, optInText: OPT_IN_TEXT }
}

export async function upsertSettings(sql: Sql, owner: OwnerId, settings: ChatSettings): Promise<void> {
	await sql`
		insert into chat_settings (account_id, confirms_opt_out, opt_out_text, opt_in_text)
		values (${owner}, ${settings.confirms}, ${settings.optOutText}, ${settings.optInText})
		on conflict (account_id) do update
		set confirms_opt_out = excluded.confirms_opt_out, opt_out_text = excluded.opt_out_text,
			opt_in_text = excluded.opt_in_text
	`
}

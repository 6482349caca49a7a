import { AUTOMATIC_IDS } from '#features/chats/rules.ts'
import { NEVER_SENT_CODES } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Data of a chat before new messages of its customer. */
export interface KnownChat {
	/** True when the customer has written before. A message whose automatic reply was never sent does not count. */
	hasWritten: boolean
	/** Automatic replies among the newest messages, by id and time in milliseconds, without those that were never sent. */
	earlier: { id: number; at: number }[]
}

/** Number of the newest messages of a chat in which earlier automatic replies are searched for. */
const MAX_SEARCHED = 300

/** Returns the data of these chats. Ignores customers' messages with the wamids `except`. */
export async function listKnown(
	sql: Sql,
	accountId: AccountId,
	{ chats, except }: { chats: readonly string[]; except: readonly string[] },
): Promise<(KnownChat & { chat: string })[]> {
	return sql<(KnownChat & { chat: string })[]>`
		select n.key as chat,
			exists (
				select from chat_messages m
				where m.account_id = ${accountId} and m.chat = n.key and m.direction = 'in' and m.kind <> 'system'
					and m.wamid <> all(${except}::text[])
					and not exists (
						select from chat_messages a
						where a.account_id = ${accountId} and a.request_id = ${AUTOMATIC_IDS.reply}::text || m.wamid
							and a.status = 'failed' and a.error_code = any(${NEVER_SENT_CODES}::integer[])
					)
			) as "hasWritten",
			coalesce((
				select jsonb_agg(jsonb_build_object('id', r.body -> 'automatic', 'at', extract(epoch from r.at) * 1000))
				from (
					select m.body, m.at, m.status, m.error_code from chat_messages m
					where m.account_id = ${accountId} and m.chat = n.key
					order by m.at desc, m.id desc
					limit ${MAX_SEARCHED}
				) r
				where r.body ? 'automatic'
					and not coalesce(r.status = 'failed' and r.error_code = any(${NEVER_SENT_CODES}::integer[]), false)
			), '[]') as earlier
		from unnest(${chats}::text[]) as n (key)
	`
}

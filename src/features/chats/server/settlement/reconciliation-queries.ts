import type { OwnerId, Sql } from '#lib/server/db.ts'

/**
 * Checks, for one account or all, that what is held and was spent outside campaigns is the price of the chats' messages that
 * are pending and accepted. Reads only; a sound database yields nothing.
 */
export async function reconcileChatsAllOwners(
	sql: Sql,
	only: OwnerId | null = null,
): Promise<{ owner: OwnerId; rule: string; detail: string }[]> {
	const within = only === null ? sql`` : sql`and account_id = ${only}`
	return sql<{ owner: OwnerId; rule: string; detail: string }[]>`
		with ledger as (
			select account_id, sum(held_change_paise) as held, -sum(available_change_paise + held_change_paise) as cost
			from ledger_entries where campaign_id is null and kind <> 'recharge' ${within} group by account_id
		), priced as (
			select account_id, coalesce(sum(price_paise) filter (where status = 'pending'), 0) as held,
				coalesce(sum(price_paise) filter (where status in ('sent', 'delivered', 'read')), 0) as cost
			from chat_messages where price_paise > 0 ${within} group by account_id
		)
		select coalesce(l.account_id, p.account_id) as owner, 'chats hold and cost the price of their messages' as rule,
			format('ledger holds %s and spent %s, messages hold %s and cost %s', l.held, l.cost, p.held, p.cost) as detail
		from ledger l
		full join priced p on p.account_id = l.account_id
		where coalesce(l.held, 0) <> coalesce(p.held, 0) or coalesce(l.cost, 0) <> coalesce(p.cost, 0)
	`
}

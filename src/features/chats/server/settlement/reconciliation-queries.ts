import type { Finding } from '#features/wallet/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/**
 * Checks that what is held and was spent outside campaigns is the price of the chats' messages that are pending and accepted,
 * and of refunds that are not given.
 */
export async function checkChats(sql: Sql, owner: OwnerId): Promise<Finding[]> {
	return sql<Finding[]>`
		with ledger as (
			select coalesce(sum(held_change_paise), 0) as held,
				-coalesce(sum(available_change_paise + held_change_paise), 0) as cost
			from statement_lines where account_id = ${owner} and campaign_id = 0 and kind <> 'recharge'
		), priced as (
			select coalesce(sum(price_paise) filter (where status = 'pending'), 0) as held,
				coalesce(sum(price_paise) filter (where status in ('sent', 'delivered', 'read')), 0) + (
					select coalesce(sum((waiting_count + refused_count)::bigint * price_paise), 0) from waiting_refunds
					where account_id = ${owner} and campaign_id = 0
				) as cost
			from chat_messages where account_id = ${owner} and price_paise > 0
		)
		select ${owner}::bigint as owner, 'chats hold and cost the price of their messages' as rule,
			format('ledger holds %s and spent %s, messages hold %s and cost %s', l.held, l.cost, p.held, p.cost) as detail
		from ledger l
		cross join priced p
		where (l.held, l.cost) is distinct from (p.held, p.cost)
	`
}

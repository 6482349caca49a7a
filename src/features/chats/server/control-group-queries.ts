import type { ControlGroup } from '#features/audiences/rules.ts'
import { formerIdsAt, numberOwners, ownersOfMessages } from '#features/contacts/server/whatsapp-id-queries.ts'
import { ARRIVED_AT, HAS_REPLIES } from '#features/delivery/server/conditions.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { IS_TYPED, REPLY_TIME } from './replies/reply-queries.ts'

/**
 * Counts replies and clicks of a campaign's control group and of its recipients between `since` and `until`. Few people
 * reply or click, so the query first finds the chats with a new message and the campaigns with clicks in this time.
 */
export async function countControlGroup(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, since, until }: { campaignId: number; since: Date; until: Date },
): Promise<Omit<ControlGroup, 'people' | 'countedAt'>> {
	const start = sql`${since}::timestamptz`
	const owner = sql`left join ${numberOwners(sql, accountId)} o on o.id = p.number and ${start} <= o.until`
	const clickedAmong = (people: ReturnType<Sql>) => sql`(
		select count(*) from ${people} p ${owner}
		where p.account_id = ${accountId} and p.campaign_id = ${campaignId}
			and coalesce(o.number, p.number) in (select number from clicked)
	)`
	const [row] = await sql<Omit<ControlGroup, 'people' | 'countedAt'>[]>`
		with written as materialized (
			select c.key, w.at from chats c
			cross join lateral (
				select min(m.at) as at from chat_messages m
				where m.account_id = ${accountId} and m.chat = c.key and m.at >= ${start} and m.at < ${start} + ${REPLY_TIME}
					and ${IS_TYPED}
			) w
			where c.account_id = ${accountId} and c.inbound_at >= ${start} and w.at is not null
		), wrote as materialized (
			select number, min(at) as at from (
				-- After a change of number, the chat is the next owner's.
				select w.key as number, w.at from written w where not exists (
					select from former_ids f where f.account_id = ${accountId} and f.id = w.key
						and ${start} <= f.changed_at and w.at > f.changed_at
				)
				union all
				select f.id, w.at from written w join ${formerIdsAt(sql, accountId, start)} f on f.now_id = w.key
				union all
				select i.number, w.at from written w join whatsapp_ids i on i.account_id = ${accountId} and i.wa_id = w.key
				union all
				select c.key, w.at from written w join chats c on c.account_id = ${accountId} and c.user_id = w.key
			) w
			group by number
		), clicked as materialized (
			select distinct coalesce(o.number, m.number) as number from campaign_clicks k
			join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
			${ownersOfMessages(sql, accountId)}
			where k.account_id = ${accountId} and k.clicked_at >= ${start} and k.clicked_at < ${until}::timestamptz
				and k.campaign_id = any(array(
					select n.campaign_id from campaign_minutes n
					where n.account_id = ${accountId} and n.clicks > 0
						and n.minute > ${start} - interval '1 minute' and n.minute < ${until}::timestamptz
				))
		)
		select (
				select count(*) from campaign_held_out p
				join wrote w on w.number = p.number
				${owner}
				where p.account_id = ${accountId} and p.campaign_id = ${campaignId} and not exists (
					select from campaign_messages m
					join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and ${HAS_REPLIES}
					where m.account_id = ${accountId} and m.number in (p.number, coalesce(o.number, p.number)) and ${ARRIVED_AT} > ${start} and ${ARRIVED_AT} <= w.at
				)
			) as wrote,
			(
				select count(r.replied_at) from campaign_replies r where r.account_id = ${accountId} and r.campaign_id = ${campaignId}
			) as "recipientsWrote",
			${clickedAmong(sql`campaign_held_out`)} as clicked, ${clickedAmong(sql`campaign_messages`)} as "recipientsClicked"
	`
	if (!row) throw new Error('a row without a table is always there')
	return row
}

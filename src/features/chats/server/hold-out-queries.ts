import type { HeldOut } from '#features/audiences/control-group.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/**
 * How many of those who were kept out of a campaign, and of its recipients, wrote or clicked in a span of time. Few do either:
 * they are found first, by the chats with something new and the campaigns with clicks in these minutes.
 */
export async function countHeldOut(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, since, until }: { campaignId: number; since: Date; until: Date },
): Promise<Omit<HeldOut, 'people' | 'countedAt'>> {
	const span = (at: ReturnType<Sql>) => sql`${at} >= ${since}::timestamptz and ${at} < ${until}::timestamptz`
	const among = (people: ReturnType<Sql>, did: ReturnType<Sql>) => sql`(
		select count(*) from ${people} p
		where p.account_id = ${owner} and p.campaign_id = ${campaignId} and p.number in (select number from ${did})
	)`
	const [heldOut, recipients] = [sql`campaign_held_out`, sql`campaign_messages`]
	const [wrote, clicked] = [sql`wrote`, sql`clicked`]
	const [row] = await sql<Omit<HeldOut, 'people' | 'countedAt'>[]>`
		with written as materialized (
			select c.key from chats c
			where c.account_id = ${owner} and c.last_at >= ${since}::timestamptz and exists (
				select from chat_messages m
				where m.account_id = ${owner} and m.chat = c.key and m.direction = 'in' and ${span(sql`m.at`)}
			)
		), wrote as materialized (
			select key as number from written
			union
			select w.number from whatsapp_ids w where w.account_id = ${owner} and w.wa_id in (select key from written)
		), clicked as materialized (
			select distinct m.number from campaign_clicks k
			join campaign_messages m on m.account_id = ${owner} and m.campaign_id = k.campaign_id and m.seq = k.seq
			where k.account_id = ${owner} and ${span(sql`k.clicked_at`)} and k.campaign_id = any(array(
				select n.campaign_id from campaign_minutes n
				where n.account_id = ${owner} and n.clicks > 0
					and n.minute > ${since}::timestamptz - interval '1 minute' and n.minute < ${until}::timestamptz
			))
		)
		select ${among(heldOut, wrote)} as wrote, ${among(heldOut, clicked)} as clicked,
			${among(recipients, wrote)} as "recipientsWrote", ${among(recipients, clicked)} as "recipientsClicked"
	`
	if (!row) throw new Error('a row without a table is always there')
	return row
}

import type { Variables } from '#features/campaigns/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** Whom a campaign goes to. */
export interface Audience {
	groupId: string | null
	/** Leaves out those who opted out of marketing. */
	isMarketing: boolean
}

export interface AudienceCount {
	contacts: number
	optedOut: number
}

const inAudience = (sql: Sql, owner: OwnerId, audience: Audience) => sql`
	c.account_id = ${owner} ${audience.groupId === null ? sql`` : sql`and c.group_id = ${audience.groupId}`}
`

export async function countAudience(sql: Sql, owner: OwnerId, audience: Audience): Promise<AudienceCount> {
	const [row] = await sql<AudienceCount[]>`
		select count(*) as contacts, count(*) filter (where c.opted_out_at is not null) as "optedOut"
		from contacts c
		where ${inAudience(sql, owner, audience)}
	`
	return row ?? { contacts: 0, optedOut: 0 }
}

/** The column that a contact's merge tag stands for. */
const mergeColumn = (sql: Sql, tag: string) => {
	if (tag === 'firstName') return sql`c.first_name`
	if (tag === 'lastName') return sql`nullif(btrim(c.last_name), '')`
	return sql`'+' || c.number`
}

/** How many recipients have nothing for a merge tag, or something that Meta refuses. */
export async function countUnfit(
	sql: Sql,
	owner: OwnerId,
	{ audience, tag }: { audience: Audience; tag: string },
): Promise<{ empty: number; refused: number }> {
	const [row] = await sql<{ empty: number; refused: number }[]>`
		select count(*) filter (where v.value is null or btrim(v.value) = '') as empty,
			count(*) filter (where v.value ~ E'[\\n\\r\\t]| {5,}') as refused
		from contacts c
		cross join lateral (select ${mergeColumn(sql, tag)} as value) v
		where ${inAudience(sql, owner, audience)}
			and not (${audience.isMarketing} and c.opted_out_at is not null)
	`
	return row ?? { empty: 0, refused: 0 }
}

export interface NewCampaign {
	name: string
	description: string | null
	template: { name: string; language: string; category: string; components: Component[] }
	headerFile: string | null
	variables: Variables
	mergeTags: string[]
	audienceType: 'all' | 'group' | 'file'
	audienceName: string
	pricePaise: number
	requestId: string | null
	/** Null is at once. */
	opensAt: Date | null
}

/** Writes a campaign without messages. Null when this request has created one already. */
export async function insertCampaign(sql: Sql, owner: OwnerId, campaign: NewCampaign): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		insert into campaigns (
			account_id, name, description, status, template, header_file, variables, merge_tags,
			audience_type, audience_name, price_paise, request_id, opens_at
		) values (
			${owner}, ${campaign.name}, ${campaign.description}, 'pending', ${json(sql, campaign.template)},
			${campaign.headerFile}, ${json(sql, campaign.variables)}, ${campaign.mergeTags}::text[],
			${campaign.audienceType}, ${campaign.audienceName}, ${campaign.pricePaise}, ${campaign.requestId},
			coalesce(${campaign.opensAt}::timestamptz, now())
		)
		on conflict (account_id, request_id) do nothing
		returning id
	`
	return row?.id ?? null
}

export async function findByRequest(sql: Sql, owner: OwnerId, requestId: string): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		select id from campaigns where account_id = ${owner} and request_id = ${requestId}
	`
	return row?.id ?? null
}

/** Writes one message per recipient, numbered from 1, all in SQL; returns how many and notes it on the campaign. */
export async function insertMessages(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, audience, mergeTags }: { campaignId: number; audience: Audience; mergeTags: string[] },
): Promise<number> {
	const columns = mergeTags.map((tag, index) => sql`${index === 0 ? sql`` : sql`, `}${mergeColumn(sql, tag)}`)
	const { count } = await sql`
		insert into campaign_messages (account_id, campaign_id, seq, number, merge_values)
		select ${owner}::bigint, ${campaignId}::bigint, row_number() over (order by c.id), c.number,
			${mergeTags.length === 0 ? sql`null::text[]` : sql`array[${columns}]::text[]`}
		from contacts c
		where ${inAudience(sql, owner, audience)}
			and not (${audience.isMarketing} and c.opted_out_at is not null)
	`
	await sql`
		update campaigns set total_count = ${count}, pending_count = ${count}
		where account_id = ${owner} and id = ${campaignId}
	`
	return count
}

function json(sql: Sql, value: object) {
	return JSON.stringify(value)
}

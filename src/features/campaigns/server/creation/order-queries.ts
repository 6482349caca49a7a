import type { AudienceType } from '#features/audiences/audience-fields.ts'
import { IS_SHOWN, type CampaignKind } from '#features/delivery/server/campaign-kind.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/** The row of a new campaign, without its counters. */
export interface NewCampaign {
	name: string
	description: string | null
	kind: CampaignKind
	/** `processing` skips the opener: its checks have been made and no file is to be uploaded. A `draft` waits for its start. */
	status: 'draft' | 'pending' | 'processing'
	template: { name: string; language: string; category: string; components: Component[] }
	headerFile: string | null
	variables: Variables
	/** The order of the values in each message's `merge_values`. */
	mergeTags: readonly string[]
	audienceType: AudienceType
	audienceName: string
	groupId: string | null
	segmentId: string | null
	/** The percentage of the audience in the control group. */
	controlGroupPercent: number | null
	pricePaise: number
	/** The idempotency key of the request. */
	requestId: string | null
	/** Digest of the file and of the choices that no other field holds; compared with that of a repeated order. */
	requestDigest: string | null
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
	retryThrottled: boolean
	/** The id of the campaign whose failed messages this campaign sends again. */
	retryOf: string | null
	/** The number of this follow-up in its row of follow-ups, from 1; 0 for a campaign that is no follow-up. */
	followUpNumber: number
}

/** Writes a campaign without messages. Returns its id; null when its request has created one already. */
export async function insertCampaign(sql: Sql, accountId: AccountId, campaign: NewCampaign): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		insert into campaigns (
			account_id, name, description, status, template, header_file, variables, merge_tags,
			audience_type, audience_name, group_id, segment_id, price_paise, request_id, is_scheduled, kind, retry_held_back, retry_of,
			follow_up_number, hold_out_percent, request_digest, opens_at, started_at
		) values (
			${accountId}, ${campaign.name}, ${campaign.description},
			${campaign.status}, ${JSON.stringify(campaign.template)},
			${campaign.headerFile}, ${JSON.stringify(campaign.variables)}, ${campaign.mergeTags}::text[],
			${campaign.audienceType}, ${campaign.audienceName}, ${campaign.groupId}, ${campaign.segmentId}, ${campaign.pricePaise},
			${campaign.requestId}, ${campaign.opensAt !== null}, ${campaign.kind}, ${campaign.retryThrottled},
			${campaign.retryOf}, ${campaign.followUpNumber}, ${campaign.controlGroupPercent}, ${campaign.requestDigest},
			coalesce(${campaign.opensAt}::timestamptz, now()),
			${campaign.status === 'processing' ? sql`now()` : null}
		)
		on conflict (account_id, request_id) do nothing
		returning id
	`
	return row?.id ?? null
}

/**
 * Writes one message for each selected recipient, numbered from `after` + 1 in the order of `place`. `rows` selects `place`,
 * `origin_seq`, `number`, `name` and `merge_values`. Returns how many it wrote.
 */
export async function insertMessages(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, after, rows }: { campaignId: number; after: number; rows: Statement },
): Promise<number> {
	const { count } = await sql`
		insert into campaign_messages (account_id, campaign_id, seq, origin_seq, number, name, merge_values)
		select ${accountId}::bigint, ${campaignId}::bigint, ${after}::int + row_number() over (order by r.place),
			r.origin_seq, r.number, r.name, r.merge_values
		from (${rows}) r
	`
	return count
}

/** Counts campaigns that have not ended: scheduled, paused or being sent. */
export async function countUnfinished(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where account_id = ${accountId} and finished_at is null and ${IS_SHOWN}
	`
	return row?.total ?? 0
}

/** Returns the id of the campaign that a request has created; null if it has created none. */
export async function findByRequest(sql: Sql, accountId: AccountId, requestId: string): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and request_id = ${requestId}
	`
	return row?.id ?? null
}

/**
 * Returns the name of the campaign `id` if it was created from another form than `form`; null if it was created from
 * the same form.
 */
export async function findDifferent(
	sql: Sql,
	accountId: AccountId,
	{ id, form }: { id: number; form: NewCampaign },
): Promise<string | null> {
	const { template } = form
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns
		where account_id = ${accountId} and id = ${id} and not (
			name = ${form.name} and coalesce(description, '') = ${form.description ?? ''}
			and template ->> 'name' = ${template.name} and template ->> 'language' = ${template.language}
			and variables = ${JSON.stringify(form.variables)}::jsonb and is_scheduled = ${form.opensAt !== null}
			and (${form.opensAt}::timestamptz is null or opens_at = ${form.opensAt}::timestamptz)
			and audience_type = ${form.audienceType} and audience_name is not distinct from ${form.audienceName}
			and group_id is not distinct from ${form.groupId}::bigint
			and segment_id is not distinct from ${form.segmentId}::bigint
			and hold_out_percent is not distinct from ${form.controlGroupPercent}::smallint
			and coalesce(request_digest = ${form.requestDigest}::text, true)
		)
	`
	return row?.name ?? null
}

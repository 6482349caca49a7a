import type { AudienceType } from '#features/audiences/audience-fields.ts'
import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { IS_SHOWN, type CampaignKind } from '#features/delivery/server/campaign-kind.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { Component } from '#features/templates/contract.ts'
import type { FilledPart } from '#features/templates/filled.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier, separated, type Statement } from '#lib/server/statement.ts'
import { mergeOf, type OwnColumns, type UnfitCounts } from '../merge-column-queries.ts'
import { segmentParts, type Segment } from '../segments/rule-queries.ts'
import { writtenEnough, type FrequencyCap } from './frequency-queries.ts'

/** Contacts that a campaign is sent to. */
export interface Audience {
	groupId: string | null
	segment: Segment | null
	/** Excludes contacts that opted out of marketing. */
	isMarketing: boolean
	/** Excludes contacts that have reached the frequency cap. */
	cap: FrequencyCap | null
}

export interface AudienceCount {
	contacts: number
	optedOut: number
	/** Contacts that have reached the frequency cap and are not opted out. */
	capped: number
	/** Counts of unfit values among the recipients, in the order of the given tags. */
	unfit: UnfitCounts[]
	/** Recipients whose filled part does not fit, in the order of the given parts. */
	misfits: number[]
}

/** Joins `w`, whose number is not null when the contact `c` has reached the frequency cap. */
const withCap = (sql: Sql, accountId: AccountId, { cap }: Pick<Audience, 'cap'>) =>
	cap === null
		? sql`cross join (select null::text as number) w`
		: sql`left join ${writtenEnough(sql, accountId, { cap })} on w.number = c.number`

/** Condition of the audience on contacts aliased `c`, with the join of its segment. */
const audienceParts = (sql: Sql, accountId: AccountId, { groupId, segment }: Audience) => {
	const { where, ...ofSegment } = segmentParts(sql, accountId, segment)
	const ofGroup = groupId === null ? sql`` : sql`and c.group_id = ${groupId}`
	return { where: sql`c.account_id = ${accountId} ${ofGroup} and ${where}`, ...ofSegment }
}

/** Condition: the contact `c` of the audience is a recipient, neither opted out nor capped. */
const isSentTo = (sql: Sql, { isMarketing }: Audience) => sql`
	w.number is null and not (${isMarketing} and c.opted_out_at is not null)
`

/** Input of `countAudience`. */
interface CountInput {
	audience: Audience
	tags: readonly string[]
	own: OwnColumns
	parts: readonly FilledPart[]
}

/**
 * Counts an audience. Of its recipients, counts those whose value for a tag is missing or refused by Meta, and those
 * whose filled part does not fit.
 */
export async function countAudience(
	sql: Sql,
	accountId: AccountId,
	{ audience, tags, own, parts }: CountInput,
): Promise<AudienceCount> {
	const { where, ...asked } = audienceParts(sql, accountId, audience)
	const { unfitAmong, misfitsAmong, join } = mergeOf(sql, accountId, { tags, own, asked })
	const [row] = await sql<AudienceCount[]>`
		select count(*) as contacts, count(*) filter (where c.opted_out_at is not null) as "optedOut",
			count(*) filter (where c.opted_out_at is null and w.number is not null) as capped,
			${unfitAmong(isSentTo(sql, audience))} as unfit, ${misfitsAmong(isSentTo(sql, audience), parts)} as misfits
		from contacts c ${join}
		${withCap(sql, accountId, audience)}
		where ${where}
	`
	return row ?? { contacts: 0, optedOut: 0, capped: 0, unfit: [], misfits: [] }
}

/** Fields that every order sets on its campaign. */
export interface OrderedCampaign {
	name: string
	variables: Variables
	audienceType: AudienceType
	audienceName: string
	groupId: string | null
	segmentId?: string | null
	/** Percentage of the audience in the control group. */
	holdOutPercent?: number | undefined
	pricePaise: number
	/** Idempotency key of the request. */
	requestId: string | null
	/** Digest of the file and of the choices that no other field holds; compared with that of a repeated order. */
	requestDigest?: string | null
	/** Null opens the campaign immediately. */
	opensAt: Date | null
}

/** Optional fields of an order, which have defaults. */
export interface CampaignOptions {
	kind: CampaignKind
	/**
	 * With `processing` the campaign is sent as soon as it is written: the caller has run the opener's checks, and
	 * there is no file to upload. A `draft` waits for its start.
	 */
	status: 'draft' | 'pending' | 'processing'
	retryHeldBack: boolean
	/** Id of the campaign whose failed messages this one sends again. */
	retryOf: string | null
	/** Length of the chain of follow-ups that send throttled messages again; 0 for a campaign that a person ordered. */
	followUpNumber: number
	/** Order of the messages' values when copied from another campaign; by default the tags of `variables`. */
	mergeTags: string[]
}

export interface NewCampaign extends OrderedCampaign, CampaignOptions {
	description: string | null
	template: { name: string; language: string; category: string; components: Component[] }
	headerFile: string | null
}

/** Inserts a campaign without messages. Returns null when this request has created a campaign already. */
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
			${campaign.audienceType}, ${campaign.audienceName}, ${campaign.groupId}, ${campaign.segmentId ?? null}, ${campaign.pricePaise},
			${campaign.requestId}, ${campaign.opensAt !== null}, ${campaign.kind}, ${campaign.retryHeldBack},
			${campaign.retryOf}, ${campaign.followUpNumber}, ${campaign.holdOutPercent ?? null}, ${campaign.requestDigest ?? null}, coalesce(${campaign.opensAt}::timestamptz, now()),
			${campaign.status === 'processing' ? sql`now()` : null}
		)
		on conflict (account_id, request_id) do nothing
		returning id
	`
	return row?.id ?? null
}

/** Counts campaigns that have not ended: scheduled, paused or being sent. */
export async function countUnfinished(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where account_id = ${accountId} and finished_at is null and ${IS_SHOWN}
	`
	return row?.total ?? 0
}

export async function findByRequest(sql: Sql, accountId: AccountId, requestId: string): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and request_id = ${requestId}
	`
	return row?.id ?? null
}

/** Inserts one message per recipient of the audience in SQL, numbered from 1. Returns the number of messages. */
export async function insertMessages(
	sql: Sql,
	accountId: AccountId,
	{
		campaignId,
		audience,
		mergeTags,
		own,
	}: { campaignId: number; audience: Audience; mergeTags: string[]; own: OwnColumns },
): Promise<number> {
	const { where, ...asked } = audienceParts(sql, accountId, audience)
	const { array, join } = mergeOf(sql, accountId, { tags: mergeTags, own, asked })
	const { count } = await sql`
		insert into campaign_messages (account_id, campaign_id, seq, number, name, merge_values)
		select ${accountId}::bigint, ${campaignId}::bigint, row_number() over (order by c.id), c.number,
			concat_ws(' ', c.first_name, c.last_name),
			${array}
		from contacts c ${join}
		${withCap(sql, accountId, audience)}
		where ${where} and ${isSentTo(sql, audience)}
	`
	return count
}

/** Recipient of a message, contact or not. */
export interface Recipient extends Partial<MessageReference> {
	/** Phone number in canonical form. */
	number: string
	name: string | null
	/** Values in the order of the requested merge tags; null without a value. */
	values: (string | null)[]
}

/**
 * Inserts one message per recipient, numbered from `after` + 1. Returns the number of messages; recipients who opted
 * out of marketing are left out when `isMarketing` is true.
 */
export async function insertRecipients(
	sql: Sql,
	accountId: AccountId,
	given: { campaignId: number; after: number; recipients: readonly Recipient[]; isMarketing: boolean },
): Promise<number> {
	const recipients = given.isMarketing ? await withoutErased(sql, accountId, given.recipients) : given.recipients
	const tags = [...(recipients[0]?.values.keys() ?? [])]
	const values = tags.map((at) => sql`, ${recipients.map((one) => one.values[at] ?? null)}::text[]`)
	const names = tags.map((at) => sql`, ${identifier(`value${at}`)}`)
	const array = separated(tags.map((at) => sql`n.${identifier(`value${at}`)}`))
	const { count } = await sql`
		insert into campaign_messages (account_id, campaign_id, seq, number, name, merge_values)
		select ${accountId}::bigint, ${given.campaignId}::bigint, ${given.after}::int + row_number() over (order by n.place),
			n.number, n.name, ${tags.length === 0 ? sql`null::text[]` : sql`array[${array}]::text[]`}
		from unnest(
			${recipients.map((one) => one.number)}::text[], ${recipients.map((one) => one.name)}::text[]
			${tags.length === 0 ? sql`` : values}
		) with ordinality as n (number, name ${tags.length === 0 ? sql`` : names}, place)
		where not (${given.isMarketing} and ${isOptedOut(sql, accountId, sql`n.number`)})
	`
	return count
}

async function withoutErased(
	sql: Sql,
	accountId: AccountId,
	recipients: readonly Recipient[],
): Promise<readonly Recipient[]> {
	const erased = await listErased(
		sql,
		accountId,
		recipients.map(({ number }) => number),
	)
	return erased.size === 0 ? recipients : recipients.filter(({ number }) => !erased.has(number))
}

/** Condition: the number, of a contact or not, is opted out of marketing. */
export const isOptedOut = (sql: Sql, accountId: AccountId, number: Statement) => sql`exists (
	select 1 from opt_outs o where o.account_id = ${accountId} and o.number = ${number} and o.is_opted_out
)`

/** Returns the numbers that are opted out of marketing, including erased ones. */
export async function listOptedOut(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<string[]> {
	const [rows, erased] = await Promise.all([
		sql<{ number: string }[]>`
			select n.number from unnest(${numbers}::text[]) as n (number) where ${isOptedOut(sql, accountId, sql`n.number`)}
		`,
		listErased(sql, accountId, numbers),
	])
	return [...rows.map(({ number }) => number), ...erased.keys()]
}

/** Returns the contact with this number as a recipient; null when the number is not a contact. */
export async function findContactRecipient(
	sql: Sql,
	accountId: AccountId,
	{ number, tags, own }: { number: string; tags: readonly string[]; own: OwnColumns },
): Promise<Recipient | null> {
	const { array, join } = mergeOf(sql, accountId, { tags, own })
	const [row] = await sql<Recipient[]>`
		select c.number, concat_ws(' ', c.first_name, nullif(btrim(c.last_name), '')) as name,
			coalesce(${array}, '{}') as values
		from contacts c ${join}
		where c.account_id = ${accountId} and c.number = ${number}
	`
	return row ?? null
}

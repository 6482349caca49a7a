import { listErased } from '#features/contacts/server/erasure/erased.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { NO_PRICE, priceColumn } from '#features/pricing/server/market-column.ts'
import type { FilledPart } from '#features/templates/filled.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier, separated, type Statement } from '#lib/server/statement.ts'
import { mergeOf, type CustomColumns, type UnfitCounts } from '../merge-column-queries.ts'
import { segmentParts, type Segment } from '../segments/rule-queries.ts'
import { writtenEnough, type FrequencyCap } from './frequency-queries.ts'

/** The rules by which a campaign leaves recipients out. */
export interface LeavingOut {
	/** Leaves out people who have opted out of marketing. */
	isMarketing: boolean
	/** Leaves out people who have received as much marketing as this allows. */
	cap: FrequencyCap | null
	/** Recipients whose market has no price are not measured; the statement that writes messages leaves them out. */
	prices?: MarketPrices
}

/** Rules that leave out no recipient. */
export const EVERYONE: LeavingOut = { isMarketing: false, cap: null }

/** Counts of the people whom an order addresses, and the problems of their values. */
export interface Reach {
	/** Everyone addressed, before anyone is left out. */
	contacts: number
	/** 0 unless the campaign is marketing. */
	optedOut: number
	/** People who are not opted out and have received as much marketing as the account's rule allows. */
	capped: number
	/** Number of recipients without a value, by merge tag. */
	gaps: Record<string, number>
	/** The problems of the values, in words. */
	errors: string[]
}

/** Contacts of an account: all, or those of a group or segment. */
export interface Audience extends LeavingOut {
	groupId: string | null
	segment: Segment | null
}

export interface AudienceCount {
	contacts: number
	/** 0 unless the campaign is marketing. */
	optedOut: number
	/** People who are not opted out and have received as much marketing as the cap allows. */
	capped: number
	/** Recipients without a fitting value, in the order of the tags. */
	unfit: UnfitCounts[]
	/** Recipients for whom a part does not fit, in the order of the parts. */
	misfits: number[]
}

/** Joins a contact `c` with the table `w` of capped numbers. */
const withCap = (sql: Sql, accountId: AccountId, { cap }: Pick<Audience, 'cap'>) =>
	cap === null
		? sql`cross join (select null::text as number) w`
		: sql`left join ${writtenEnough(sql, accountId, { cap })} on w.number = c.number`

/** Returns the condition that narrows contacts `c` down to an audience, and the other parts of its segment. */
const audienceParts = (sql: Sql, accountId: AccountId, { groupId, segment }: Audience) => {
	const { where, ...ofSegment } = segmentParts(sql, accountId, segment)
	const ofGroup = groupId === null ? sql`` : sql`and c.group_id = ${groupId}`
	return { where: sql`c.account_id = ${accountId} ${ofGroup} and ${where}`, ...ofSegment }
}

/**
 * Returns the condition that a contact `c` of an audience gets a message: the contact has not opted out and has not reached
 * the cap.
 */
const isSentTo = (sql: Sql, { isMarketing }: Audience) => sql`
	w.number is null and not (${isMarketing} and c.opted_out_at is not null)
`

/** Returns the condition that messages to the market of a contact `c` have a price. */
const isPriced = (sql: Sql, { prices }: LeavingOut) => {
	const abroadPrices = prices?.abroadPrices
	const leavesOut = [...(abroadPrices?.values() ?? [])].some((price) => typeof price === 'string')
	if (!prices || !abroadPrices || !leavesOut) return sql`true`
	return sql`${priceColumn(sql, sql`c.number`, { ...prices, abroadPrices })} <> ${NO_PRICE}`
}

interface Asked {
	audience: Audience
	tags: readonly string[]
	customColumns: CustomColumns
	parts: readonly FilledPart[]
}

/**
 * Counts an audience, and its recipients who lack a merge value, whose value Meta refuses, or whose filled-in message is too
 * long.
 */
export async function countAudience(
	sql: Sql,
	accountId: AccountId,
	{ audience, tags, customColumns, parts }: Asked,
): Promise<AudienceCount> {
	const { where, ...asked } = audienceParts(sql, accountId, audience)
	const { unfitAmong, misfitsAmong, join } = mergeOf(sql, accountId, { tags, customColumns, asked })
	const isMeasured = sql`${isSentTo(sql, audience)} and ${isPriced(sql, audience)}`
	const [row] = await sql<AudienceCount[]>`
		select count(*) as contacts, count(*) filter (where ${audience.isMarketing} and c.opted_out_at is not null) as "optedOut",
			count(*) filter (where c.opted_out_at is null and w.number is not null) as capped,
			${unfitAmong(isMeasured)} as unfit, ${misfitsAmong(isMeasured, parts)} as misfits
		from contacts c ${join}
		${withCap(sql, accountId, audience)}
		where ${where}
	`
	return row ?? { contacts: 0, optedOut: 0, capped: 0, unfit: [], misfits: [] }
}

/** Selects the recipients among an audience for `insertMessages`, with the values of `mergeTags` in this order. */
export const contactRows = (
	sql: Sql,
	accountId: AccountId,
	{
		audience,
		mergeTags,
		customColumns,
	}: { audience: Audience; mergeTags: readonly string[]; customColumns: CustomColumns },
) => {
	const { where, ...asked } = audienceParts(sql, accountId, audience)
	const { array, join } = mergeOf(sql, accountId, { tags: mergeTags, customColumns, asked })
	return sql`
		select c.id as place, null::integer as origin_seq, c.number, concat_ws(' ', c.first_name, c.last_name) as name,
			${array} as merge_values
		from contacts c ${join}
		${withCap(sql, accountId, audience)}
		where ${where} and ${isSentTo(sql, audience)}
	`
}

/** Recipient of a message, contact or not. */
export interface Recipient extends Partial<MessageReference> {
	/** Phone number in canonical form. */
	number: string
	name: string | null
	/** The values in the order of the merge tags; null where the person has no value. */
	values: (string | null)[]
}

/**
 * Selects listed recipients for `insertMessages`, in their order. Leaves out numbers that have opted out when the
 * campaign is marketing.
 */
export const listedRows = (
	sql: Sql,
	accountId: AccountId,
	{ recipients, isMarketing }: { recipients: readonly Recipient[]; isMarketing: boolean },
) => {
	const tags = [...(recipients[0]?.values.keys() ?? [])]
	const values = tags.map((at) => sql`, ${recipients.map((one) => one.values[at] ?? null)}::text[]`)
	const names = tags.map((at) => sql`, ${identifier(`value${at}`)}`)
	const array = separated(tags.map((at) => sql`n.${identifier(`value${at}`)}`))
	return sql`
		select n.place, null::integer as origin_seq, n.number, n.name,
			${tags.length === 0 ? sql`null::text[]` : sql`array[${array}]::text[]`} as merge_values
		from unnest(
			${recipients.map((one) => one.number)}::text[], ${recipients.map((one) => one.name)}::text[]
			${tags.length === 0 ? sql`` : values}
		) with ordinality as n (number, name ${tags.length === 0 ? sql`` : names}, place)
		where not (${isMarketing} and ${isOptedOut(sql, accountId, sql`n.number`)})
	`
}

/** Returns the condition that a number, of a contact or not, has opted out of marketing. */
export const isOptedOut = (sql: Sql, accountId: AccountId, number: Statement) => sql`exists (
	select 1 from opt_outs o where o.account_id = ${accountId} and o.number = ${number} and o.is_opted_out
)`

/** Returns the numbers that have opted out of marketing or were erased. */
export async function listOptedOut(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<string[]> {
	const [rows, erased] = await Promise.all([
		sql<{ number: string }[]>`
			select n.number from unnest(${numbers}::text[]) as n (number) where ${isOptedOut(sql, accountId, sql`n.number`)}
		`,
		listErased(sql, accountId, numbers),
	])
	return [...rows.map(({ number }) => number), ...erased.keys()]
}

/** Returns the contact with this number and its values for the tags; null without such a contact. */
export async function findContactRecipient(
	sql: Sql,
	accountId: AccountId,
	{ number, tags, customColumns }: { number: string; tags: readonly string[]; customColumns: CustomColumns },
): Promise<Recipient | null> {
	const { array, join } = mergeOf(sql, accountId, { tags, customColumns })
	const [row] = await sql<Recipient[]>`
		select c.number, concat_ws(' ', c.first_name, nullif(btrim(c.last_name), '')) as name,
			coalesce(${array}, '{}') as values
		from contacts c ${join}
		where c.account_id = ${accountId} and c.number = ${number}
	`
	return row ?? null
}

import { isOptedOut, type LeavingOut, type Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import { writtenEnough, type FrequencyCap } from '#features/audiences/server/recipients/frequency-queries.ts'
import { numberOwners } from '#features/contacts/server/whatsapp-id-queries.ts'
import { type MessageStatus, BLOCK_SIZE, THROTTLED_CODE } from '#features/delivery/rules.ts'
import { whoClicked } from '#features/links/server/click-queries.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier } from '#lib/server/statement.ts'

/** Returns the merge tags that a campaign's messages have values for, in the order of the values. */
export async function getMergeTags(sql: Sql, accountId: AccountId, campaignId: string): Promise<string[]> {
	const [row] = await sql<{ tags: string[] }[]>`
		select merge_tags as tags from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row?.tags ?? []
}

const MAX_SAMPLES = 10
/** Messages among which samples are looked for, as the recipients of the first may have been erased. */
const SAMPLED_MESSAGES = 100

export interface Sample {
	name: string | null
	number: string
	/** Values of the campaign's merge tags, in their order. */
	mergeValues: (string | null)[] | null
}

/** Returns the first recipients of a campaign who are not erased. */
export async function listSamples(sql: Sql, accountId: AccountId, campaignId: string): Promise<Sample[]> {
	return sql<Sample[]>`
		select name, number, merge_values as "mergeValues" from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq <= ${SAMPLED_MESSAGES}
			and not starts_with(number, ${ERASED_PREFIX})
		order by seq limit ${MAX_SAMPLES}
	`
}

/** Returns the `seq` of each message in a range whose recipient replied. */
export async function findReplied(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, from, through }: { campaignId: string; from: number; through: number },
): Promise<number[]> {
	const rows = await sql<{ seq: number }[]>`
		select seq from campaign_replies
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq between ${from} and ${through}
			and replied_at is not null
	`
	return rows.map(({ seq }) => seq)
}

/** A choice of a campaign's recipients. `unread` is delivered and not read. */
export interface Recipients {
	campaignId: string
	of: 'failed' | 'unread' | 'read' | 'replied' | 'clicked'
}

/**
 * Selects a campaign's messages in one status as a table `m`. Reads only blocks that have such messages, so that three
 * failed ones in a million are found at once.
 */
const inStatus = (
	sql: Sql,
	accountId: AccountId,
	{ campaignId, status }: { campaignId: string; status: MessageStatus },
) => sql`
	(
		select t.seq, t.origin_seq, t.number, t.name, t.error_code, t.merge_values, t.price_paise
		from campaign_blocks b
		join campaign_messages t on t.account_id = ${accountId} and t.campaign_id = ${campaignId} and t.status = ${status}
			and not starts_with(t.number, ${ERASED_PREFIX}) and t.seq > b.block * ${BLOCK_SIZE} and t.seq <= (b.block + 1) * ${BLOCK_SIZE}
		where b.account_id = ${accountId} and b.campaign_id = ${campaignId} and b.${identifier(status)} > 0
	) m
`

const whoReplied = (sql: Sql, accountId: AccountId, campaignId: string) => sql`
	(
		select t.seq, t.number, t.name, t.error_code, t.merge_values
		from campaign_replies r
		join campaign_messages t on t.account_id = ${accountId} and t.campaign_id = ${campaignId} and t.seq = r.seq
			and not starts_with(t.number, ${ERASED_PREFIX})
		where r.account_id = ${accountId} and r.campaign_id = ${campaignId} and r.replied_at is not null
	) m
`

const chosen = (sql: Sql, accountId: AccountId, { campaignId, of }: Recipients) => {
	if (of === 'replied') return whoReplied(sql, accountId, campaignId)
	if (of === 'clicked') return whoClicked(sql, accountId, { campaignId, isErasedLeftOut: true })
	return inStatus(sql, accountId, { campaignId, status: of === 'unread' ? 'delivered' : of })
}

/** Counts the recipients, the recipients in a group, and the recipients who are not contacts. */
export async function countRecipients(
	sql: Sql,
	accountId: AccountId,
	wanted: Recipients,
): Promise<{ recipients: number; moved: number; added: number }> {
	const [row] = await sql<{ recipients: number; moved: number; added: number }[]>`
		select count(*) as recipients, count(g.id) as moved, count(*) filter (where c.id is null) as added
		from ${chosen(sql, accountId, wanted)}
		left join contacts c on c.account_id = ${accountId} and c.number = m.number
		left join contact_groups g on g.account_id = ${accountId} and g.id = c.group_id and g.deleted_at is null
	`
	return row ?? { recipients: 0, moved: 0, added: 0 }
}

/** Returns the next recipients after the `seq` of a message, with the numbers that they have now. */
export async function listRecipients(
	sql: Sql,
	accountId: AccountId,
	{ after, limit, ...wanted }: Recipients & { after: number; limit: number },
): Promise<{ seq: number; number: string; name: string | null }[]> {
	return sql<{ seq: number; number: string; name: string | null }[]>`
		select m.seq, coalesce(o.number, m.number) as number, m.name from ${chosen(sql, accountId, wanted)}
		join campaigns c on c.account_id = ${accountId} and c.id = ${wanted.campaignId}
		left join ${numberOwners(sql, accountId)} o on o.id = m.number and c.created_at <= o.until
		where m.seq > ${after}
		order by m.seq
		limit ${limit}
	`
}

/** Returns the ids of a campaign's family, the first one first: all campaigns that send failed messages of one another again. */
export async function listRetries(sql: Sql, accountId: AccountId, campaignId: string): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		with recursive earlier as (
			select id, retry_of from campaigns where account_id = ${accountId} and id = ${campaignId}
			union
			select c.id, c.retry_of from earlier e
			join campaigns c on c.account_id = ${accountId} and c.id = e.retry_of
		), family as (
			select id from earlier where retry_of is null
			union
			select c.id from family f
			join campaigns c on c.account_id = ${accountId} and c.retry_of = f.id
		)
		select id from family order by id
	`
	return rows.map(({ id }) => id)
}

/** A choice of a campaign's failed messages to send again. */
export interface Retryable {
	campaignId: string
	codes: readonly number[]
	/** The ids that `listRetries` returns. */
	family: readonly number[]
}

/** Selects the `seq` of a message within the first campaign of the family. */
const originOf = (sql: Sql, message: 'm' | 's', family: readonly number[]) => sql`
	case when ${identifier(message)}.campaign_id = ${family[0] ?? 0} then ${identifier(message)}.seq
		else ${identifier(message)}.origin_seq end
`

/**
 * Selects failed messages of a campaign with one of these codes that no campaign of its family has sent again or will, or
 * had throttled: Meta restricts accounts that try a throttled message again. Matches by message, because a program can send
 * a person several in one campaign, or by person when a message has no origin. Selects the present numbers of people;
 * `listed` is the number of the message. A person who is in the campaign with both numbers gets one message.
 */
const retryable = (sql: Sql, accountId: AccountId, { campaignId, codes, family }: Retryable) => sql`
	from (
		select ${campaignId}::bigint as campaign_id, m.seq, m.origin_seq, m.name, m.error_code, m.merge_values, m.number as listed,
			coalesce(o.number, m.number) as number, c.kind, c.created_at
		from ${inStatus(sql, accountId, { campaignId, status: 'failed' })}
		join campaigns c on c.account_id = ${accountId} and c.id = ${campaignId}
		left join ${numberOwners(sql, accountId)} o on o.id = m.number and c.created_at <= o.until
	) m
	where m.error_code = any(${codes}::integer[]) and not exists (
		select 1 from campaign_messages s
		where s.account_id = ${accountId} and s.number in (m.number, m.listed) and s.campaign_id = any(${family}::bigint[])
			and (s.status <> 'failed' or s.error_code = ${THROTTLED_CODE})
			and coalesce(${originOf(sql, 's', family)} = ${originOf(sql, 'm', family)}, true)
	) and (m.number = m.listed or m.kind = 'api' or not exists (
		select 1 from campaign_messages s
		left join ${numberOwners(sql, accountId)} p on p.id = s.number and m.created_at <= p.until
		where s.account_id = ${accountId} and s.campaign_id = any(${family}::bigint[])
			and (s.number = m.number or p.number = m.number and s.campaign_id = m.campaign_id and s.seq < m.seq)
			and ${originOf(sql, 's', family)} <> ${originOf(sql, 'm', family)}
	))
`

const isCapped = (sql: Sql, accountId: AccountId, cap: FrequencyCap | null) =>
	cap ? sql`m.number in (select w.number from ${writtenEnough(sql, accountId, { cap })})` : sql`false`

/** The condition that a person has opted out with the present number or that of the message. */
const isOut = (sql: Sql, accountId: AccountId) =>
	sql`(${isOptedOut(sql, accountId, sql`m.number`)} or ${isOptedOut(sql, accountId, sql`m.listed`)})`

/** Counts the messages that a retry would send, and how many of them are for people who have opted out or are capped. */
export async function countRetryable(
	sql: Sql,
	accountId: AccountId,
	wanted: Retryable & LeavingOut,
): Promise<Pick<Reach, 'contacts' | 'optedOut' | 'capped'>> {
	const [row] = await sql<Pick<Reach, 'contacts' | 'optedOut' | 'capped'>[]>`
		select count(*) as contacts, count(*) filter (where is_opted_out) as "optedOut",
			count(*) filter (where is_capped and not is_opted_out) as capped
		from (
			select ${wanted.isMarketing} and ${isOut(sql, accountId)} as is_opted_out,
				${isCapped(sql, accountId, wanted.cap)} as is_capped
			${retryable(sql, accountId, wanted)}
		) m
	`
	return row ?? { contacts: 0, optedOut: 0, capped: 0 }
}

/** Selects the recipients of retryable messages for `insertMessages`, with the values they had. */
export const retryableRows = (sql: Sql, accountId: AccountId, wanted: Retryable & LeavingOut) => sql`
	select m.seq as place, ${originOf(sql, 'm', wanted.family)} as origin_seq, m.number, m.name, m.merge_values
	${retryable(sql, accountId, wanted)} and not (${wanted.isMarketing} and ${isOut(sql, accountId)})
		and not (${isCapped(sql, accountId, wanted.cap)})
`

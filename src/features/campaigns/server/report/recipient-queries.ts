import { isOptedOut } from '#features/audiences/server/recipients/audience-queries.ts'
import { writtenEnough, type FrequencyCap } from '#features/audiences/server/recipients/frequency-queries.ts'
import type { MessageStatus } from '#features/delivery/rules.ts'
import { BLOCK_SIZE } from '#features/delivery/server/block-size.ts'
import { whoClicked } from '#features/links/server/click-queries.ts'
import { ERASED_PREFIX } from '#lib/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier } from '#lib/server/statement.ts'

/** Which merge tags a campaign's messages have values for, in the order of those. */
export async function getMergeTags(sql: Sql, accountId: AccountId, campaignId: string): Promise<string[]> {
	const [row] = await sql<{ tags: string[] }[]>`
		select merge_tags as tags from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row?.tags ?? []
}

/** Returns the numbers of the messages in a range whose recipient replied. */
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

/** Whom of a campaign to take: `unread` is delivered and not read. */
export interface Recipients {
	campaignId: string
	of: 'failed' | 'unread' | 'read' | 'replied' | 'clicked'
}

/**
 * A campaign's messages in one status, as a table `m`: only blocks that have such messages are read, so that three failed ones
 * in a million are found at once.
 */
const inStatus = (
	sql: Sql,
	accountId: AccountId,
	{ campaignId, status }: { campaignId: string; status: MessageStatus },
) => sql`
	(
		select t.seq, t.origin_seq, t.number, t.name, t.error_code, t.merge_values
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

/** How many they are, how many of them are in another group, and how many are no contacts. */
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

/** The next of them after a message's number. */
export async function listRecipients(
	sql: Sql,
	accountId: AccountId,
	{ after, limit, ...wanted }: Recipients & { after: number; limit: number },
): Promise<{ seq: number; number: string; name: string | null }[]> {
	return sql<{ seq: number; number: string; name: string | null }[]>`
		select m.seq, m.number, m.name from ${chosen(sql, accountId, wanted)}
		where m.seq > ${after}
		order by m.seq
		limit ${limit}
	`
}

/** A campaign and all those that send its failed messages again, or theirs, from the first one on. */
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

/** Which failed messages of a campaign to send again. */
export interface Retryable {
	campaignId: string
	codes: readonly number[]
	/** The campaign itself, what it sends again, and what sends it again: `listRetries`. */
	family: readonly number[]
	/** Leaves those out whom a later campaign of the family was to reach, also in vain: what becomes of them is up to that one. */
	isFollowUp: boolean
}

/** Returns the number of a failed message `m` of the campaign within the first campaign of the family. */
const originOf = (sql: Sql, { campaignId, family }: Pick<Retryable, 'campaignId' | 'family'>) =>
	campaignId === String(family[0]) ? sql`m.seq` : sql`m.origin_seq`

/**
 * Selects failed messages of a campaign with one of these codes which no campaign of its family has sent again, or is about to.
 * By message, since programs send a person several in one campaign; by person where a message was copied without its origin.
 */
const retryable = (sql: Sql, accountId: AccountId, { campaignId, codes, family, isFollowUp }: Retryable) => sql`
	from ${inStatus(sql, accountId, { campaignId, status: 'failed' })}
	where m.error_code = any(${codes}::integer[]) and not exists (
		select 1 from campaign_messages s
		where s.account_id = ${accountId} and s.number = m.number and s.campaign_id = any(${family}::bigint[])
			and (s.status <> 'failed' or ${isFollowUp} and s.campaign_id > ${campaignId})
			and coalesce(
				case when s.campaign_id = ${family[0] ?? 0} then s.seq else s.origin_seq end
					= ${originOf(sql, { campaignId, family })},
				true
			)
	)
`

const isCapped = (sql: Sql, accountId: AccountId, cap: FrequencyCap | null) =>
	cap ? sql`m.number in (select w.number from ${writtenEnough(sql, accountId, { cap })})` : sql`false`

/** How many would be sent to again; how many of them have opted out of marketing since, or have got enough of it. */
export async function countRetryable(
	sql: Sql,
	accountId: AccountId,
	wanted: Retryable & { cap: FrequencyCap | null },
): Promise<{ failed: number; optedOut: number; capped: number }> {
	const [row] = await sql<{ failed: number; optedOut: number; capped: number }[]>`
		select count(*) as failed, count(*) filter (where is_opted_out) as "optedOut",
			count(*) filter (where is_capped and not is_opted_out) as capped
		from (
			select ${isOptedOut(sql, accountId, sql`m.number`)} as is_opted_out, ${isCapped(sql, accountId, wanted.cap)} as is_capped
			${retryable(sql, accountId, wanted)}
		) m
	`
	return row ?? { failed: 0, optedOut: 0, capped: 0 }
}

/** Writes a message for each of them in a new campaign, with the values they had; returns how many. */
export async function copyRetryable(
	sql: Sql,
	accountId: AccountId,
	wanted: Retryable & { newCampaignId: number; isMarketing: boolean; cap: FrequencyCap | null },
): Promise<number> {
	const { count } = await sql`
		insert into campaign_messages (account_id, campaign_id, seq, origin_seq, number, name, merge_values)
		select ${accountId}::bigint, ${wanted.newCampaignId}::bigint, row_number() over (order by m.seq),
			${originOf(sql, wanted)}, m.number, m.name, m.merge_values
		${retryable(sql, accountId, wanted)} and not (${wanted.isMarketing} and ${isOptedOut(sql, accountId, sql`m.number`)})
			and not (${isCapped(sql, accountId, wanted.cap)})
	`
	return count
}

/**
 * Takes the time of a campaign's follow-up away; with `isDue` only once that has come. Returns whether there was one. Locks the
 * campaign.
 */
export async function takeFollowUp(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, isDue }: { campaignId: string; isDue: boolean },
): Promise<boolean> {
	const rows = await sql`
		update campaigns set follow_up_at = null, updated_at = now()
		where account_id = ${accountId} and id = ${campaignId} and follow_up_at is not null
			and (not ${isDue} or status = 'completed' and follow_up_at <= now())
		returning 1
	`
	return rows.length > 0
}

/** Completed campaigns with messages that WhatsApp held back, whose recipients are to be sent to again now; the longest due first. */
export async function listFollowUpsDueAllAccounts(
	sql: Sql,
	{ limit, only }: { limit: number; only: AccountId | null },
): Promise<{ accountId: AccountId; campaignId: string }[]> {
	return sql<{ accountId: AccountId; campaignId: string }[]>`
		select account_id as "accountId", id::text as "campaignId" from campaigns
		where status = 'completed' and follow_up_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
		order by follow_up_at
		limit ${limit}
	`
}

import { isInUse } from '#features/auth/server/queries.ts'
import { isMessageTo } from '#features/contacts/server/whatsapp-id-queries.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import { MEDIA_DAYS, META_MEDIA_DAYS } from '#features/whatsapp/server/cloud-api.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Minutes before a campaign's start at which its files are uploaded. Ten thousand files take nine. */
const MINUTES_AHEAD = 10

/** Returns the condition that files of a campaign `c` are to be uploaded now. */
const isDue = (sql: Sql) => sql`
	c.files_through < c.total_count and c.finished_at is null and c.status in ('pending', 'processing')
	and c.opens_at < now() + make_interval(mins => ${MINUTES_AHEAD})
`

/** Returns the accounts with files to upload, except the named ones and those whose sender is stopped. */
export async function listDueAllAccounts(
	sql: Sql,
	{ except, only }: { except: readonly AccountId[]; only: AccountId | null },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct c.account_id as "accountId" from campaigns c
		join senders s on s.account_id = c.account_id and s.stopped_reason is null
		where c.files_through is not null and ${isDue(sql)} and c.account_id <> all(${except}::bigint[])
			and ${isInUse(sql, sql`c.account_id`)} ${only === null ? sql`` : sql`and c.account_id = ${only}`}
	`
}

/** A campaign whose files are to be uploaded. */
export interface FileCampaign {
	id: number
	mergeTags: string[]
	/** The last message whose file is uploaded. */
	through: number
	total: number
	/** The number for which the files before `through` were uploaded. */
	phoneNumberId: string | null
}

/** Returns the campaign of an account whose files are due first; undefined when there is none. */
export async function findDue(sql: Sql, accountId: AccountId): Promise<FileCampaign | undefined> {
	const [row] = await sql<FileCampaign[]>`
		select c.id, c.merge_tags as "mergeTags", c.files_through as through, c.total_count as total,
			c.files_number as "phoneNumberId"
		from campaigns c
		where c.account_id = ${accountId} and c.files_through is not null and ${isDue(sql)}
			and ${isInUse(sql, sql`${accountId}::bigint`)}
		order by c.opens_at, c.id
		limit 1
	`
	return row
}

/** Returns the condition that a message may still name the uploaded file `h`. */
const isFresh = (sql: Sql) => sql`h.uploaded_at > now() - make_interval(days => ${MEDIA_DAYS})`

/** A pending message with its file. */
export interface FileMessage {
	seq: number
	fileId: string
	/** Name and storage key of the file; null when it was deleted. */
	name: string | null
	key: string | null
	bytes: number | null
	/** Meta's id of the content; null before it is uploaded. */
	mediaId: string | null
}

/** Returns the next pending messages of a campaign that have a file of their own. */
export async function listNext(
	sql: Sql,
	accountId: AccountId,
	{ campaign, phoneNumberId, limit }: { campaign: FileCampaign; phoneNumberId: string; limit: number },
): Promise<FileMessage[]> {
	const at = campaign.mergeTags.indexOf(FILE_TAG) + 1
	return sql<FileMessage[]>`
		select m.seq, m.value as "fileId", f.name, f.file_key as key, f.bytes, h.media_id as "mediaId"
		from (
			select n.seq, split_part(n.merge_values[${at}::int], ' ', 1) as value from campaign_messages n
			where n.account_id = ${accountId} and n.campaign_id = ${campaign.id} and n.seq > ${campaign.through}
				and n.status = 'pending' and n.merge_values[${at}::int] is not null
			order by n.seq
			limit ${limit}
		) m
		left join header_files f on f.account_id = ${accountId} and f.id = m.value::bigint
		left join header_media h on h.account_id = ${accountId} and h.phone_number_id = ${phoneNumberId}
			and h.file_key = f.file_key and ${isFresh(sql)}
		order by m.seq
	`
}

/** Selects messages with their values, in which the file has Meta's id, for `updateMergeValues`. */
export const uploadedRows = (
	sql: Sql,
	accountId: AccountId,
	{ campaign, uploaded }: { campaign: FileCampaign; uploaded: readonly { seq: number; value: string }[] },
) => {
	const at = campaign.mergeTags.indexOf(FILE_TAG) + 1
	return sql`
		select m.seq, m.merge_values[1:${at - 1}::int] || u.value || m.merge_values[${at + 1}::int:] as merge_values
		from unnest(${uploaded.map(({ seq }) => seq)}::int[], ${uploaded.map(({ value }) => value)}::text[]) as u (seq, value)
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = ${campaign.id} and m.seq = u.seq
	`
}

export interface UploadState extends Pick<FileCampaign, 'through' | 'phoneNumberId'> {
	/** The number that sends the campaign; null unless it is being sent. */
	sendingNumberId: string | null
}

/** Returns the state of a campaign's upload. The caller has locked the campaign. */
export async function findState(sql: Sql, accountId: AccountId, campaignId: number): Promise<UploadState | undefined> {
	const [row] = await sql<UploadState[]>`
		select files_through as through, files_number as "phoneNumberId",
			case when status = 'processing' then media_phone_number_id end as "sendingNumberId"
		from campaigns
		where account_id = ${accountId} and id = ${campaignId}
	`
	return row
}

export interface UploadedContent {
	phoneNumberId: string
	key: string
	mediaId: string
}

export async function insertMedia(sql: Sql, accountId: AccountId, media: UploadedContent): Promise<void> {
	await sql`
		insert into header_media (account_id, phone_number_id, file_key, media_id)
		values (${accountId}, ${media.phoneNumberId}, ${media.key}, ${media.mediaId})
		on conflict (account_id, phone_number_id, file_key)
			do update set media_id = excluded.media_id, uploaded_at = excluded.uploaded_at
	`
}

/** Accounts with uploaded files. */
export async function listWithMediaAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from header_media where uploaded_at < now() - interval '1 hour'
			${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Locks uploaded files that messages are about to name against their deletion at Meta. Returns false when one is retired. */
export async function lockMedia(
	sql: Sql,
	accountId: AccountId,
	{ phoneNumberId, media }: { phoneNumberId: string; media: ReadonlyMap<string, string> },
): Promise<boolean> {
	const rows = await sql`
		select 1 from header_media h
		join unnest(${[...media.keys()]}::text[], ${[...media.values()]}::text[]) as u (key, media_id)
			on h.file_key = u.key and h.media_id = u.media_id
		where h.account_id = ${accountId} and h.phone_number_id = ${phoneNumberId} and ${isFresh(sql)}
		order by h.file_key
		for share of h
	`
	return rows.length === media.size
}

/** Selects the uploaded files that messages of an account still need: those without a final status, for as long as Meta has them. */
const neededMedia = (sql: Sql, accountId: AccountId) => sql`
	select split_part(m.merge_values[array_position(c.merge_tags, ${FILE_TAG}::text)], ' ', 2) as media_id
	from campaigns c
	join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = c.id and m.status in ('pending', 'sent')
	where c.account_id = ${accountId} and c.files_through is not null and c.messages_removed_at is null
		and c.pending_count + c.sent_count > 0
		and coalesce(c.finished_at, now()) > now() - make_interval(days => ${META_MEDIA_DAYS})
`

/** Makes uploaded files that no message needs too old to be named again. Waits for messages that are about to name them. */
export async function retireUnneeded(sql: Sql, accountId: AccountId, limit: number): Promise<void> {
	await sql`
		with needed as (${neededMedia(sql, accountId)}), unneeded as (
			select h.phone_number_id, h.file_key from header_media h
			where h.account_id = ${accountId} and h.uploaded_at < now() - interval '1 hour' and ${isFresh(sql)}
				and h.media_id not in (select media_id from needed where media_id is not null)
			order by h.phone_number_id, h.file_key
			limit ${limit}
			for update
		)
		update header_media h set uploaded_at = now() - make_interval(days => ${MEDIA_DAYS})
		from unneeded u
		where h.account_id = ${accountId} and h.phone_number_id = u.phone_number_id and h.file_key = u.file_key
	`
}

/** Returns retired files that no message needs. `isGone` is true for those that Meta has deleted itself. */
export async function listRetired(
	sql: Sql,
	accountId: AccountId,
	limit: number,
): Promise<(UploadedContent & { isGone: boolean })[]> {
	const isGone = sql`h.uploaded_at < now() - make_interval(days => ${META_MEDIA_DAYS})`
	return sql<(UploadedContent & { isGone: boolean })[]>`
		with needed as (${neededMedia(sql, accountId)})
		select h.phone_number_id as "phoneNumberId", h.file_key as key, h.media_id as "mediaId", ${isGone} as "isGone"
		from header_media h
		where h.account_id = ${accountId} and not (${isFresh(sql)})
			and (${isGone} or h.media_id not in (select media_id from needed where media_id is not null))
		limit ${limit}
	`
}

export async function deleteMediaRow(sql: Sql, accountId: AccountId, media: UploadedContent): Promise<void> {
	await sql`
		delete from header_media
		where account_id = ${accountId} and phone_number_id = ${media.phoneNumberId} and file_key = ${media.key}
			and media_id = ${media.mediaId}
	`
}

/** Deletes the files of the messages to a person. */
export async function deleteFilesTo(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<void> {
	await sql`
		delete from header_files f using (
			select split_part(m.merge_values[array_position(c.merge_tags, ${FILE_TAG}::text)], ' ', 1)::bigint as id
			from campaign_messages m
			join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and c.files_through is not null
			where m.account_id = ${accountId} and ${isMessageTo(sql, accountId, names)}
		) n
		where f.account_id = ${accountId} and f.id = n.id
	`
}

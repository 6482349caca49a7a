import { authorName } from '#features/auth/server/queries.ts'
import { NEVER_SENT_CODES, type MessageStatus } from '#features/delivery/rules.ts'
import { readCallbackData } from '#features/delivery/server/message/message-id.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import type { RecipientMessage } from '#features/templates/values.ts'
import { formsOf } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

type Fragment = ReturnType<Sql>

/** Content of a message; each kind uses some of the fields. */
export interface MessageBody {
	text?: string
	/** Occasion of the message: an ad of the business, or a product of its catalogue. */
	occasion?: string
	location?: { latitude: number; longitude: number; name: string | null; address: string | null }
	cards?: { name: string; phones: string[] }[]
	/** A template's components with the variables filled in. */
	components?: { type: string; [key: string]: unknown }[]
	/** Content of an unknown kind, unchanged. */
	raw?: unknown
	/** Id of the automatic reply that this message is. */
	automatic?: number
}

/** Source of a message of the phone app: written there, or imported from its history. Null for all other messages. */
export type Origin = 'phone' | 'history' | null

export interface ChatMessageRow {
	/**
	 * True for a row of `chat_messages`. False for a campaign message: `id` is the campaign's id, and `seq` the
	 * message's number in the campaign.
	 */
	isOwn: boolean
	id: number
	seq: number
	chat: string
	direction: 'in' | 'out'
	kind: string
	body: MessageBody
	wamid: string | null
	status: MessageStatus
	/** The error in words that say what to do; for a template, WhatsApp's own words. Null without an error. */
	error: string | null
	/** Error code of a failed template; otherwise null. */
	orderErrorCode: number | null
	at: Date
	replyWamid: string | null
	replyCampaign: { id: number; name: string } | null
	replyText: string | null
	mediaType: string | null
	/**
	 * Original file name; for a template, the end of its file's key. `nameInKey` reads both. Null without a file name.
	 */
	mediaName: string | null
	/** Storage key of the file of the message, or of its header: the person's own, or the campaign's. Null without a stored file. */
	mediaKey: string | null
	mediaState: 'ready' | 'fetching' | 'unavailable' | null
	/** Storage keys of the files of a template's cards; null without cards. */
	cardFiles: (string | null)[] | null
	requestId: string | null
	origin: Origin
	/** Name of the person who wrote the message; null without one, and in an account without colleagues. */
	author: string | null
	/** A campaign message's name and content; null for a message of the chat. */
	campaign: ({ name: string } & RecipientMessage) | null
}

/**
 * Returns SQL for the messages at these places, which are rows of `is_own`, `id` and `seq` as in `ChatMessageRow`. A
 * template that was sent from the chat is also the only message of a campaign. Status, error and wamid are read from
 * the campaign message while it exists, and afterwards from the chat message, to which `copyOutcomes` has copied them.
 */
const messagesAt = (sql: Sql, accountId: AccountId, places: Fragment) => sql`
	select p.is_own as "isOwn", p.id, p.seq, coalesce(m.chat, o.number) as chat, coalesce(m.direction, 'out') as direction,
		coalesce(m.kind, 'template') as kind, coalesce(m.body, '{}') as body, coalesce(o.wamid, m.wamid) as wamid,
		coalesce(o.status, m.status) as status, coalesce(o.error, m.error) as error,
		coalesce(o.error_code, case when m.kind = 'template' then m.error_code end) as "orderErrorCode",
		coalesce(m.at, o.sent_at, o.status_at) as at, m.reply_wamid as "replyWamid",
		case when r.id is not null then jsonb_build_object('id', r.id, 'name', r.name) end as "replyCampaign",
		m.reply_text as "replyText", m.media_type as "mediaType",
		coalesce(m.media_name, f.name, substring(v.file from '^\\d+ \\S+ (.+)$'),
			case when v.file is null then substring(c.header_file from '[^/]+/[^/]+$') end) as "mediaName",
		coalesce(m.media_key, f.file_key, case when v.file is null then c.header_file end) as "mediaKey",
		coalesce(m.media_state, case when f.id is null and v.file is not null then 'unavailable'
			when coalesce(f.file_key, c.header_file) is not null then 'ready' end) as "mediaState",
		c.card_files as "cardFiles", m.request_id as "requestId", m.origin, ${authorName(sql, sql`m.author_id`)} as author,
		case when not p.is_own then jsonb_build_object(
			'name', c.name, 'components', c.template -> 'components', 'variables', c.variables,
			'mergeTags', to_jsonb(c.merge_tags), 'mergeValues', to_jsonb(o.merge_values)
		) end as campaign
	from (${places}) p
	left join chat_messages m on m.account_id = ${accountId} and p.is_own and m.id = p.id
	left join campaign_messages o on o.account_id = ${accountId}
		and o.campaign_id = case when p.is_own then m.campaign_id else p.id end
		and o.seq = case when p.is_own then 1 else p.seq end
	left join campaigns c on c.account_id = ${accountId} and c.id = o.campaign_id
	left join lateral (select o.merge_values[array_position(c.merge_tags, ${FILE_TAG}::text)] as file) v on c.files_through is not null
	left join header_files f on f.account_id = ${accountId} and f.id = split_part(v.file, ' ', 1)::bigint
	left join campaigns r on r.account_id = ${accountId} and r.id = m.reply_campaign_id
`

const ownPlaces = (sql: Sql, accountId: AccountId, wanted: Fragment) => sql`
	select true as is_own, m.id, 0 as seq, m.at from chat_messages m where m.account_id = ${accountId} and ${wanted}
`

/**
 * Returns SQL for the places of campaign messages that were sent or failed while being sent. Omits templates from
 * chats, which are messages of the chat.
 */
const campaignPlaces = (sql: Sql, accountId: AccountId, wanted: Fragment) => sql`
	select false as is_own, s.campaign_id as id, s.seq, coalesce(s.sent_at, s.status_at) as at
	from campaign_messages s
	join campaigns c on c.account_id = ${accountId} and c.id = s.campaign_id and c.kind <> 'chat'
	where s.account_id = ${accountId} and ${wanted} and s.status <> 'pending'
		and (s.error_code is null or s.error_code <> all(${NEVER_SENT_CODES}::integer[]))
`

/** Returns SQL for the place of a message by its id on the screen. */
const placeOf = (sql: Sql, accountId: AccountId, id: number | string) => {
	const sent = readCallbackData(String(id))
	return sent
		? campaignPlaces(sql, accountId, sql`s.campaign_id = ${sent.campaignId} and s.seq = ${sent.seq}`)
		: ownPlaces(sql, accountId, sql`m.id = ${id}`)
}

/**
 * Returns SQL for the numbers to which campaigns addressed a chat's customer: WhatsApp may know a number under another
 * id, which is the key of the chat, and the customer may have had another number.
 */
const numbersOf = (sql: Sql, accountId: AccountId, chat: string) => sql`array(
	select unnest(${formsOf(chat)}::text[])
	union all select number from whatsapp_ids where account_id = ${accountId} and wa_id = ${chat}
	union all select id from former_ids where account_id = ${accountId} and now_id = ${chat}
)`

/**
 * Returns the newest messages of a chat, or the messages before `before`, newest first, and one more than the limit
 * when there are more. Includes campaign messages, ordered by time: at the same time, a campaign message counts as
 * older than messages of the chat, which may answer it.
 */
export async function listMessages(
	sql: Sql,
	accountId: AccountId,
	{ chat, limit, before }: { chat: string; limit: number; before: string | null },
): Promise<ChatMessageRow[]> {
	const last = before === null ? null : placeOf(sql, accountId, before)
	const older = (place: Fragment) =>
		last ? sql`and ${place} < (select b.at, b.is_own, b.id, b.seq from (${last}) b)` : sql``
	const own = sql`m.chat = ${chat} ${older(sql`(m.at, true, m.id, 0)`)}`
	const sent = sql`
		s.number = any(${numbersOf(sql, accountId, chat)})
		-- The former number may belong to another person since.
		and not exists (
			select from former_ids f where f.account_id = ${accountId} and f.id = s.number and f.now_id = ${chat}
				and coalesce(s.sent_at, s.status_at) > f.changed_at
		)
		${older(sql`(coalesce(s.sent_at, s.status_at), false, s.campaign_id, s.seq)`)}
	`
	const most = limit + 1
	return sql<ChatMessageRow[]>`
		${messagesAt(
			sql,
			accountId,
			sql`
				(${ownPlaces(sql, accountId, own)} order by m.at desc, m.id desc limit ${most})
				union all
				(${campaignPlaces(sql, accountId, sent)} order by at desc, id desc, seq desc limit ${most})
				order by at desc, is_own desc, id desc, seq desc
				limit ${most}
			`,
		)}
		order by p.at desc, p.is_own desc, p.id desc, p.seq desc
	`
}

/** Returns a message by the id of its row or by its id on the screen; undefined without one. */
export async function findMessage(
	sql: Sql,
	accountId: AccountId,
	id: number | string,
): Promise<ChatMessageRow | undefined> {
	const [row] = await sql<ChatMessageRow[]>`${messagesAt(sql, accountId, placeOf(sql, accountId, id))}`
	return row
}

export async function findByRequest(
	sql: Sql,
	accountId: AccountId,
	requestId: string,
): Promise<ChatMessageRow | undefined> {
	const place = ownPlaces(sql, accountId, sql`m.request_id = ${requestId}`)
	const [row] = await sql<ChatMessageRow[]>`${messagesAt(sql, accountId, place)}`
	return row
}

/** Returns the wamid of a message of this chat; undefined when the message does not exist. */
export async function findWamid(
	sql: Sql,
	accountId: AccountId,
	{ chat, id }: { chat: string; id: string },
): Promise<{ wamid: string | null } | undefined> {
	const [row] = await sql<{ wamid: string | null }[]>`
		select m.wamid from (${messagesAt(sql, accountId, placeOf(sql, accountId, id))}) m
		where m.chat = any(${numbersOf(sql, accountId, chat)})
	`
	return row
}

/** Returns the messages of a chat that have one of these wamids, for quotes. */
export async function listQuoted(
	sql: Sql,
	accountId: AccountId,
	{ chat, wamids }: { chat: string; wamids: string[] },
): Promise<ChatMessageRow[]> {
	if (wamids.length === 0) return []
	return sql<ChatMessageRow[]>`${messagesAt(
		sql,
		accountId,
		sql`
			${ownPlaces(sql, accountId, sql`m.chat = ${chat} and m.wamid = any(${wamids}::text[])`)}
			union all
			select t.id is not null, coalesce(t.id, s.campaign_id), case when t.id is null then s.seq else 0 end, s.sent_at
			from campaign_messages s
			join campaigns c on c.account_id = ${accountId} and c.id = s.campaign_id
			left join chat_messages t on t.account_id = ${accountId} and t.campaign_id = s.campaign_id
			where s.account_id = ${accountId} and s.number = any(${numbersOf(sql, accountId, chat)})
				and s.wamid = any(${wamids}::text[]) and (t.id is not null or c.kind <> 'chat')
		`,
	)}`
}

/** Returns the newest message of each chat, without campaign messages. */
export async function listNewest(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<ChatMessageRow[]> {
	return sql<ChatMessageRow[]>`${messagesAt(sql, accountId, newestPlaces(sql, accountId, keys))}`
}

const newestPlaces = (sql: Sql, accountId: AccountId, keys: readonly string[]) => sql`
	select m.* from unnest(${keys}::text[]) as n (key)
	cross join lateral (${ownPlaces(sql, accountId, sql`m.chat = n.key`)} order by m.at desc, m.id desc limit 1) m
`

/** State of the newest message of a chat. */
export interface LastSent {
	status: MessageStatus
	/** True when the message was typed in the phone app, which reports no status. */
	isFromPhone: boolean
	/** First name of the colleague who sent it; null for the viewer and for an erased login. */
	author: string | null
}

/** Returns the state of the newest message of each chat. Omits chats whose newest message the customer sent. */
export async function listLastSent(
	sql: Sql,
	accountId: AccountId,
	{ keys, viewer }: { keys: readonly string[]; viewer: number },
): Promise<(LastSent & { key: string })[]> {
	return sql<(LastSent & { key: string })[]>`
		select m.chat as key, coalesce(o.status, m.status) as status, m.origin is not null as "isFromPhone",
			(select split_part(u.name, ' ', 1) from users u where u.id = m.author_id and u.id <> ${viewer} and u.erased_at is null) as author
		from (${newestPlaces(sql, accountId, keys)}) p
		join chat_messages m on m.account_id = ${accountId} and m.id = p.id and m.direction = 'out'
		left join campaign_messages o on o.account_id = ${accountId} and o.campaign_id = m.campaign_id and o.seq = 1
	`
}

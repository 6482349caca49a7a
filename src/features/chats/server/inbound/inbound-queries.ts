import { WINDOW_MS } from '#features/chats/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Origin } from '../history-queries.ts'
import type { InboundMark, InboundMessage } from './message-reader.ts'

/** Changes of one chat in a batch. */
export interface TouchedChat {
	key: string
	/** WhatsApp user id of the customer, when the batch names it; otherwise null. */
	userId: string | null
	profileName: string | null
	/** The customer's newest message in this batch, which opens the service window; null without one. */
	inbound: { at: Date; wamid: string } | null
	at: Date
}

/** Creates missing chats, updates windows and profile names, and locks all the chats in the order of their keys. */
export async function touchChats(sql: Sql, accountId: AccountId, chats: TouchedChat[]): Promise<void> {
	const sorted = chats.toSorted((a, b) => (a.key < b.key ? -1 : 1))
	const times = sorted.map(({ inbound }) => inbound?.at.toISOString() ?? null)
	await sql`
		insert into chats (
			account_id, key, user_id, profile_name, last_at, window_expires_at, inbound_wamid, inbound_at
		)
		select ${accountId}::bigint, n.key, n.user_id, n.name, n.at, n.inbound_at + ${WINDOW_MS} * interval '1 millisecond', n.wamid,
			n.inbound_at
		from unnest(
			${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ profileName }) => profileName)}::text[],
			${sorted.map(({ at }) => at.toISOString())}::text[]::timestamptz[],
			${times}::text[]::timestamptz[], ${sorted.map(({ inbound }) => inbound?.wamid ?? null)}::text[],
			${sorted.map(({ userId }) => userId)}::text[]
		) as n (key, name, at, inbound_at, wamid, user_id)
		on conflict (account_id, key) do update set
			user_id = coalesce(excluded.user_id, chats.user_id),
			profile_name = case
				when excluded.profile_name is not null and excluded.inbound_at >= coalesce(chats.inbound_at, excluded.inbound_at)
				then excluded.profile_name else chats.profile_name end,
			window_expires_at = greatest(chats.window_expires_at, excluded.window_expires_at),
			inbound_wamid = case
				when chats.inbound_at is null or excluded.inbound_at >= chats.inbound_at
				then coalesce(excluded.inbound_wamid, chats.inbound_wamid) else chats.inbound_wamid end,
			inbound_at = greatest(chats.inbound_at, excluded.inbound_at),
			-- For a chat with a new message, updateChats overwrites this time.
			last_at = greatest(chats.last_at, excluded.last_at)
	`
}

/**
 * Returns the existing chat for each of these keys. A user id leads to the chat in which the customer wrote last; a
 * WhatsApp id leads to the number that was addressed, unless a chat with the id exists.
 */
export async function listKnownChats(
	sql: Sql,
	accountId: AccountId,
	keys: readonly string[],
): Promise<{ key: string; chat: string }[]> {
	return sql<{ key: string; chat: string }[]>`
		(
			select distinct on (user_id) user_id as key, key as chat
			from chats
			where account_id = ${accountId} and user_id = any(${keys}::text[])
			order by user_id, inbound_at desc nulls last
		)
		union all
		select wa_id, min(number) from whatsapp_ids w
		where account_id = ${accountId} and wa_id = any(${keys}::text[])
			and not exists (select from chats c where c.account_id = ${accountId} and c.key = w.wa_id)
		group by wa_id
	`
}

/** Returns these keys for which a chat exists. */
export async function listChatsWithKeys(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<Set<string>> {
	if (keys.length === 0) return new Set()
	const rows = await sql<{ key: string }[]>`
		select key from chats where account_id = ${accountId} and key = any(${keys}::text[])
	`
	return new Set(rows.map(({ key }) => key))
}

/** An inbound message with its links. `campaign` is the campaign message that it answers; null without one. */
export type NewInbound = InboundMessage & {
	campaign: { campaignId: number; text: string } | null
	/** Name of the template of the answered message; null when it is not a template or unknown. */
	template: string | null
	/**
	 * Time until which the quoted message is searched for; null when the message quotes nothing or the quoted message is known.
	 */
	linkUntil: Date | null
}

/** A message of the phone app: typed by the business (`out`), or by the customer (`in`) before the app was connected. */
export type AppMessage = InboundMessage & { direction: 'in' | 'out'; origin: Exclude<Origin, null> }

/**
 * Inserts messages that are not stored yet, in the order of the list, which orders messages of the same second. A placeholder
 * from the history of the phone app is replaced by its content, and a message of the history by the same message that arrives
 * live, which counts as new. Returns the new ids by wamid.
 */
export async function insertInbound(
	sql: Sql,
	accountId: AccountId,
	messages: readonly (NewInbound | AppMessage)[],
): Promise<Map<string, number>> {
	const rows = messages.map((message, place) => rowOf({ campaign: null, linkUntil: null, ...message }, place))
	const inserted = await sql<{ wamid: string; id: number }[]>`
		insert into chat_messages as m (
			account_id, chat, direction, kind, body, wamid, status, at, reply_wamid, reply_campaign_id, reply_text,
			link_until, media_id, media_type, media_name, media_state, origin
		)
		select ${accountId}::bigint, n.chat, n.direction, n.kind, n.body, n.wamid,
			case when n.direction = 'out' then 'sent' else 'delivered' end::message_status, n.at, n.reply_wamid,
			n.reply_campaign_id, n.reply_text, n.link_until, n.media_id, n.media_type, n.media_name,
			case when n.media_id is not null then 'fetching' end, n.origin
		from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (
			chat text, kind text, body jsonb, wamid text, at timestamptz, reply_wamid text, reply_campaign_id bigint,
			reply_text text, link_until timestamptz, media_id text, media_type text, media_name text, place integer,
			direction text, origin text
		)
		order by n.place
		on conflict (account_id, wamid) do update set
			kind = excluded.kind, body = excluded.body, origin = excluded.origin, reply_wamid = excluded.reply_wamid,
			reply_campaign_id = excluded.reply_campaign_id, reply_text = excluded.reply_text, link_until = excluded.link_until,
			media_id = excluded.media_id, media_type = excluded.media_type, media_name = excluded.media_name,
			media_state = coalesce(m.media_state, excluded.media_state)
		where m.origin = 'history' and (
			excluded.origin is null
			or excluded.origin = 'history' and m.kind = 'phone_only' and excluded.kind <> 'phone_only'
		)
		returning wamid, id
	`
	return new Map(inserted.map(({ wamid, id }) => [wamid, id]))
}

function rowOf(
	message: Omit<NewInbound, 'template'> & Partial<Pick<AppMessage, 'direction' | 'origin'>>,
	place: number,
): object {
	const {
		chat,
		kind,
		body,
		wamid,
		at,
		replyWamid,
		campaign,
		linkUntil,
		media,
		direction = 'in',
		origin = null,
	} = message
	return {
		place,
		direction,
		origin,
		chat,
		kind,
		body,
		wamid,
		at: at.toISOString(),
		reply_wamid: replyWamid,
		reply_campaign_id: campaign?.campaignId ?? null,
		link_until: linkUntil?.toISOString() ?? null,
		reply_text: campaign?.text ?? null,
		media_id: media?.id ?? null,
		media_type: media?.type ?? null,
		media_name: media?.name ?? null,
	}
}

/**
 * Stores reactions, edits and revocations: the latest mark of each message, kind and side. Of marks with equal times,
 * the last one in the list wins.
 */
export async function upsertMarks(
	sql: Sql,
	accountId: AccountId,
	{ marks, isOwn }: { marks: readonly InboundMark[]; isOwn: boolean },
): Promise<void> {
	const latest = new Map<string, InboundMark>()
	for (const mark of marks) {
		const key = `${mark.targetWamid} ${mark.kind}`
		const known = latest.get(key)
		if (!known || mark.at >= known.at) latest.set(key, mark)
	}
	const sorted = [...latest.values()].toSorted((a, b) =>
		`${a.targetWamid} ${a.kind}` < `${b.targetWamid} ${b.kind}` ? -1 : 1,
	)
	await sql`
		insert into chat_marks as k (account_id, target_wamid, kind, is_own, chat, value, at, wamid)
		select ${accountId}::bigint, n.target_wamid, n.kind, ${isOwn}::boolean, n.chat, n.value, n.at, n.wamid
		from unnest(
			${sorted.map((m) => m.targetWamid)}::text[], ${sorted.map((m) => m.kind)}::text[],
			${sorted.map((m) => m.chat)}::text[], ${sorted.map((m) => m.value)}::text[],
			${sorted.map((m) => m.at.toISOString())}::text[]::timestamptz[], ${sorted.map((m) => m.wamid)}::text[]
		) as n (target_wamid, kind, chat, value, at, wamid)
		on conflict (account_id, target_wamid, kind, is_own) do update
		set chat = excluded.chat, value = excluded.value, at = excluded.at, wamid = excluded.wamid
		where excluded.at >= k.at
	`
}

export interface ChatChange {
	key: string
	line: string
	/** Null for a chat without a message. */
	at: Date | null
	/** Number of additional unread messages. */
	unread: number
}

/** Updates line, time and unread messages of chats. An unread message opens a closed chat. */
export async function updateChats(sql: Sql, accountId: AccountId, changes: ChatChange[]): Promise<void> {
	await sql`
		update chats c
		set unread = c.unread + n.unread, closed_at = case when n.unread > 0 then null else c.closed_at end,
			 last_line = n.line, last_at = coalesce(n.at, c.last_at)
		from unnest(
			${changes.map(({ key }) => key)}::text[], ${changes.map(({ line }) => line)}::text[],
			${changes.map(({ at }) => at?.toISOString() ?? null)}::text[]::timestamptz[],
			${changes.map(({ unread }) => unread)}::integer[]
		) as n (key, line, at, unread)
		where c.account_id = ${accountId} and c.key = n.key
	`
}

import type { Sql } from '#lib/server/db.ts'

/** What is read of a message, from `chat_messages m`. */
export const messageColumns = (sql: Sql) => sql`
	m.id, m.chat, m.direction, m.kind, m.body, m.wamid, m.status, m.error, m.at, m.reply_wamid as "replyWamid",
	m.reply_campaign_id as "replyCampaignId", m.reply_text as "replyText", m.media_type as "mediaType",
	m.media_name as "mediaName", m.media_key as "mediaKey", m.media_state as "mediaState", m.request_id as "requestId"
`

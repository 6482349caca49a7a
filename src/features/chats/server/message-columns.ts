import type { OwnerId, Sql } from '#lib/server/db.ts'

/** What is read of a message, from `chat_messages m` with `orderOf`. */
export const messageColumns = (sql: Sql) => sql`
	m.id, m.chat, m.direction, m.kind, m.body, coalesce(o.wamid, m.wamid) as wamid, coalesce(o.status, m.status) as status,
	coalesce(o.error, m.error) as error,
	coalesce(o.error_code, case when m.kind = 'template' then m.error_code end) as "orderErrorCode", m.at, m.reply_wamid as "replyWamid",
	m.reply_campaign_id as "replyCampaignId", m.reply_text as "replyText", m.media_type as "mediaType",
	m.media_name as "mediaName", m.media_key as "mediaKey", m.media_state as "mediaState", m.request_id as "requestId"
`

/**
 * Of a template: the campaign's message that it is, whose status, error and wamid are the ones that count. Once that is
 * removed with its month, the template has them itself.
 */
export const orderOf = (sql: Sql, owner: OwnerId) => sql`
	left join campaign_messages o on o.account_id = ${owner} and o.campaign_id = m.campaign_id and o.seq = 1
`

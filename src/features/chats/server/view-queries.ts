import { hasSeveral } from '#features/auth/server/people-queries.ts'
import { AUTOMATIC_IDS } from '#features/chats/rules.ts'
import { NEVER_SENT_CODES } from '#features/delivery/rules.ts'
import { MAX_COUNTED, type ChatView } from '#features/inbox/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

/** Chats that a list shows. */
export interface ChatFilter {
	view: ChatView
	/** The person whose chats are "mine". */
	userId: number
	/** Id of a tag that the customer's contact has; undefined for all. */
	tag: string | undefined
	/** Id of a campaign that was sent to the customer; undefined for all. */
	campaign: string | undefined
}

/** Returns SQL conditions on chat `c`, each of which an index answers in the order of the list. */
const views = (sql: Sql, userId: number): Record<ChatView, Statement> => ({
	all: sql`true`,
	mine: sql`c.closed_at is null and coalesce(c.assigned_to, 0) = ${userId}`,
	unassigned: sql`c.closed_at is null and coalesce(c.assigned_to, 0) = 0`,
	closed: sql`c.closed_at is not null`,
})

/** Returns the SQL condition that chat `c` is in the view and has the tag and the campaign of the filter. */
export const isShown = (sql: Sql, accountId: AccountId, { view, userId, tag, campaign }: ChatFilter) => sql`
	${views(sql, userId)[view]}
	${
		tag === undefined
			? sql``
			: sql`and exists (
				select from contacts t
				join contact_values v on v.account_id = ${accountId} and v.contact_id = t.id and v.tags @> array[${tag}::bigint]
				where t.account_id = ${accountId} and t.number = c.key
			)`
	}
	${campaign === undefined ? sql`` : sql`and ${isRecipient(sql, accountId, campaign)}`}
`

/** Returns the SQL condition that a campaign was sent to the customer of chat `c`, at the present number or a former one. */
const isRecipient = (sql: Sql, accountId: AccountId, campaign: string) => {
	const isSent = sql`m.account_id = ${accountId} and m.campaign_id = ${campaign}::bigint and m.status <> 'pending'
		and (m.error_code is null or m.error_code <> all(${NEVER_SENT_CODES}::integer[]))`
	const isFormer = sql`f.account_id = ${accountId} and f.id = m.number and coalesce(m.sent_at, m.status_at) <= f.changed_at`
	const isPresent = sql`m.number = c.key and not exists (select from former_ids f where ${isFormer})`
	return sql`(
		exists (select from campaign_messages m where ${isSent} and ${isPresent})
		or c.key = any(array(select f.now_id from former_ids f join campaign_messages m on ${isFormer} where ${isSent}))
	)`
}

/** Returns the number of chats in each view, counted up to `MAX_COUNTED`; null in an account of one person. */
export async function countViews(
	sql: Sql,
	accountId: AccountId,
	userId: number,
): Promise<Record<ChatView, number> | null> {
	const counted = views(sql, userId)
	const count = (view: ChatView) => sql`(
		select count(*) from (
			select from chats c where c.account_id = ${accountId} and ${counted[view]} limit ${MAX_COUNTED}
		) n
	)`
	const [row] = await sql<Record<ChatView, number>[]>`
		select ${count('all')} as "all", ${count('mine')} as mine, ${count('unassigned')} as unassigned, ${count('closed')} as closed
		where ${hasSeveral(sql, accountId)}
	`
	return row ?? null
}

/** SQL condition on a chat message for whose request id `isAutomaticId` is false. */
export const IS_OF_PERSON = verbatim(
	`(request_id is null or ${Object.values(AUTOMATIC_IDS)
		.map((id) => `request_id not like '${id}%'`)
		.join(' and ')})`,
)

/** Number of an account's newest messages among which first answers are measured, and their greatest age. */
const MEASURED_MESSAGES = 5000
const MEASURED_AGE = '7 days'

/** Returns the number of open chats, and the median seconds until a customer's first answer ([figures](docs/figures.md)); null without one. */
export async function measureInbox(
	sql: Sql,
	accountId: AccountId,
): Promise<{ openChats: number; firstAnswerSeconds: number | null }> {
	const [row] = await sql<{ openChats: number; firstAnswerSeconds: number | null }[]>`
		with newest as materialized (
			select id, chat, direction, kind, status, at, request_id from chat_messages
			where account_id = ${accountId} order by id desc limit ${MEASURED_MESSAGES}
		), turns as (
			select chat, direction, at, id, lag(direction) over (partition by chat order by at, id) as before
			from newest
			where at > now() - ${MEASURED_AGE}::interval and kind <> 'system' and status is distinct from 'failed'
				and ${IS_OF_PERSON}
		), changes as (
			select direction, at, lead(at) over (partition by chat order by at, id) as answered_at
			from turns where direction is distinct from before
		)
		select (
				select count(*) from (
					select from chats where account_id = ${accountId} and closed_at is null limit ${MAX_COUNTED}
				) n
			) as "openChats",
			(
				select round(percentile_cont(0.5) within group (order by extract(epoch from answered_at - at)))::integer
				from changes where direction = 'in' and answered_at is not null
			) as "firstAnswerSeconds"
	`
	return row ?? { openChats: 0, firstAnswerSeconds: null }
}

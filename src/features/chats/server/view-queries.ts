import { MAX_COUNTED, type ChatView } from '#features/inbox/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

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
	${
		campaign === undefined
			? sql``
			: sql`and exists (
				select from campaign_messages m
				where m.account_id = ${accountId} and m.campaign_id = ${campaign}::bigint and m.number = c.key
					and m.status <> 'pending'
			)`
	}
`

/** Returns the number of chats in each view, counted up to `MAX_COUNTED`. */
export async function countViews(sql: Sql, accountId: AccountId, userId: number): Promise<Record<ChatView, number>> {
	const counted = views(sql, userId)
	const count = (view: ChatView) => sql`(
		select count(*) from (
			select from chats c where c.account_id = ${accountId} and ${counted[view]} limit ${MAX_COUNTED}
		) n
	)`
	const [row] = await sql<Record<ChatView, number>[]>`
		select ${count('all')} as "all", ${count('mine')} as mine, ${count('unassigned')} as unassigned, ${count('closed')} as closed
	`
	return row ?? { all: 0, mine: 0, unassigned: 0, closed: 0 }
}

import { mergeOf, type CustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import { updateMergeValues } from '#features/delivery/server/orders/new-message-queries.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { separated, type Statement } from '#lib/server/statement.ts'

/** Selects the value of a merge tag from a message `m` and its contact `c`, which may have been deleted. */
const valueOf = (sql: Sql, tag: string, { before, column }: { before: string[]; column: Statement | undefined }) => {
	if (tag === 'firstName') return sql`case when c.number is null then m.name else ${column ?? sql`null`} end`
	if (tag === 'number') return sql`'+' || m.number`
	const place = before.indexOf(tag) + 1
	return tag !== 'lastName' && place > 0 ? sql`m.merge_values[${place}::int]` : (column ?? sql`null`)
}

interface Rewriting {
	campaignId: string
	/** The merge tags that the messages have values for. Values of custom fields stay as they were written. */
	before: string[]
	mergeTags: string[]
	customColumns: CustomColumns
}

/** Rewrites the values of a campaign's messages for other merge tags, from its contacts as they are now. */
export async function rewriteMergeValues(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, before, mergeTags, customColumns }: Rewriting,
): Promise<void> {
	const { columns, join } = mergeOf(sql, accountId, { tags: mergeTags, customColumns })
	const values = separated(mergeTags.map((tag, at) => valueOf(sql, tag, { before, column: columns[at] })))
	const rows = sql`
		select m.seq, array[${values}]::text[] as merge_values
		from campaign_messages m
		left join contacts c on c.account_id = ${accountId} and c.number = m.number
		${join}
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and not starts_with(m.number, ${ERASED_PREFIX})
	`
	await updateMergeValues(sql, accountId, { campaignId, mergeTags, rows })
}

import { mergeOf, type CustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import type { CampaignStatus } from '#features/delivery/campaign-status.ts'
import { IS_SHOWN, type CampaignKind } from '#features/delivery/server/campaign-kind.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import { ERASED_PREFIX } from '#lib/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { separated, type Statement } from '#lib/server/statement.ts'

/** A campaign as an edit reads it. */
export interface CampaignToEdit {
	kind: CampaignKind
	status: CampaignStatus
	hasStarted: boolean
	components: Component[]
	/** The merge tags that its messages have values for. */
	mergeTags: string[]
	/** True for recipients who are contacts: values for further merge tags can be read from them. */
	isToContacts: boolean
}

/**
 * Locks and returns the campaign, so that it neither opens nor changes meanwhile; undefined for one that the account
 * does not have or see.
 */
export async function lockToEdit(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<CampaignToEdit | undefined> {
	const [row] = await sql<CampaignToEdit[]>`
		select kind, status, started_at is not null as "hasStarted", template -> 'components' as components,
			merge_tags as "mergeTags", audience_type <> 'file' and retry_of is null and kind = 'campaign' as "isToContacts"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and ${IS_SHOWN}
		for update
	`
	return row
}

/** Selects the value of a merge tag from a message `m` and its contact `c`, which may have been deleted. */
const valueOf = (sql: Sql, tag: string, { before, column }: { before: string[]; column: Statement | undefined }) => {
	if (tag === 'firstName') return sql`coalesce(c.first_name, m.name)`
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
	await sql`
		update campaign_messages t set merge_values = n.merge_values
		from (
			select m.seq, array[${values}]::text[] as merge_values
			from campaign_messages m
			left join contacts c on c.account_id = ${accountId} and c.number = m.number
			${join}
			where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and not starts_with(m.number, ${ERASED_PREFIX})
		) n
		where t.account_id = ${accountId} and t.campaign_id = ${campaignId} and not starts_with(t.number, ${ERASED_PREFIX})
			and t.seq = n.seq
	`
	await sql`update campaigns set merge_tags = ${mergeTags}::text[] where account_id = ${accountId} and id = ${campaignId}`
}

export interface CampaignEdit {
	campaignId: string
	name: string
	description: string | null
	variables: Variables
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
}

export async function updateCampaign(sql: Sql, accountId: AccountId, edit: CampaignEdit): Promise<void> {
	const opensAt = edit.opensAt === null ? sql`now()` : sql`${edit.opensAt}::timestamptz`
	await sql`
		update campaigns
		set name = ${edit.name}, description = ${edit.description}, variables = ${JSON.stringify(edit.variables)},
			opens_at = ${opensAt}, is_scheduled = ${edit.opensAt !== null}, updated_at = now()
		where account_id = ${accountId} and id = ${edit.campaignId}
	`
}

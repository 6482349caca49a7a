import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface SendingPlan {
	template: { name: string; language: string; components: Component[] }
	/** The template's category now, or that of the campaign's creation for a template that is gone. */
	category: string
	variables: Variables
	mergeTags: string[]
	mediaId: string | null
	cardMediaIds: string[] | null
	headerFile: string | null
}

/** Returns the parts that all messages of a campaign share: components, variables and merge tags. */
export async function getSendingPlan(sql: Sql, accountId: AccountId, campaignId: number): Promise<SendingPlan> {
	const [row] = await sql<SendingPlan[]>`
		select c.template, c.variables, c.merge_tags as "mergeTags", c.media_id as "mediaId",
			c.card_media_ids as "cardMediaIds", c.header_file as "headerFile",
			coalesce(t.category, c.template ->> 'category', '') as category
		from campaigns c
		left join templates t on t.account_id = c.account_id and t.name = c.template ->> 'name'
			and t.language = c.template ->> 'language'
		where c.account_id = ${accountId} and c.id = ${campaignId}
	`
	if (!row) throw new Error(`campaign ${campaignId} is gone`)
	return row
}

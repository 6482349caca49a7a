import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface SendingPlan {
	template: { name: string; language: string; category: string; components: Component[] }
	variables: Variables
	mergeTags: string[]
	mediaId: string | null
	headerFile: string | null
}

/** Returns the parts that all messages of a campaign share: components, variables and merge tags. */
export async function getSendingPlan(sql: Sql, accountId: AccountId, campaignId: number): Promise<SendingPlan> {
	const [row] = await sql<SendingPlan[]>`
		select template, variables, merge_tags as "mergeTags", media_id as "mediaId", header_file as "headerFile"
		from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	if (!row) throw new Error(`campaign ${campaignId} is gone`)
	return row
}

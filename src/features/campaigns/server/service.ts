import { notFound } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './queries.ts'

export async function getCampaign(sql: Sql, accountId: AccountId, id: string): Promise<queries.Campaign> {
	const campaign = await queries.findCampaign(sql, accountId, id)
	if (!campaign) throw notFound('Campaign')
	return campaign
}

import type { OwnerId, Sql } from '#lib/server/db.ts'
import { notFound } from '#lib/server/errors.ts'
import * as queries from './queries.ts'

export async function getCampaign(sql: Sql, owner: OwnerId, id: string): Promise<queries.Campaign> {
	const campaign = await queries.findCampaign(sql, owner, id)
	if (!campaign) throw notFound('Campaign')
	return campaign
}

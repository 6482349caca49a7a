import { useQuery } from '@tanstack/react-query'
import { CreateCampaign } from '#features/campaigns/web/create/create-campaign.tsx'
import { dashboards } from '#features/dashboards/contract.ts'
import { query } from '#lib/web/query.ts'

/**
 * Renders the campaign form with the account's rates from the dashboard, which the campaigns feature does not import.
 */
export function CreateCampaignScreen() {
	return <CreateCampaign figures={useQuery(query(dashboards.user))} />
}

import { useQuery } from '@tanstack/react-query'
import { CreateCampaign } from '#features/campaigns/web/create/create-campaign.tsx'
import { dashboards } from '#features/dashboards/contract.ts'
import { query } from '#lib/web/query.ts'

/** The form, and beside it the account's own rates: those are of the dashboard, which campaigns know nothing of. */
export function CreateCampaignScreen() {
	return <CreateCampaign figures={useQuery(query(dashboards.user))} />
}

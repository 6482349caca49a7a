import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function MyCampaigns() {
	return <PageHeader title="My Campaigns" />
}

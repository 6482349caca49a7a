import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function CampaignDetail() {
	return <PageHeader title="Campaign" />
}

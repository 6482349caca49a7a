import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function CreateCampaign() {
	return <PageHeader title="Create Campaign" />
}

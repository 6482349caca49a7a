import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function ManageTemplates() {
	return <PageHeader title="Manage Templates" />
}

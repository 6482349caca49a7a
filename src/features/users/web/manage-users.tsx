import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function ManageUsers() {
	return <PageHeader title="Manage Users" />
}

import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function AdminDashboard() {
	return <PageHeader title="Admin Dashboard" />
}

import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function UserDashboard() {
	return <PageHeader title="Dashboard" />
}

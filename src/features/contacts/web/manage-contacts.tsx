import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function ManageContacts() {
	return <PageHeader title="Manage Contacts" />
}

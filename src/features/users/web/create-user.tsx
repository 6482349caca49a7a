import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function CreateUser() {
	return <PageHeader title="User Create" />
}

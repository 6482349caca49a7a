import { IconAddressBook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { latestColumns } from '../contact-columns.tsx'
import { useContactDialogs } from '../use-contact-dialogs.tsx'

export function LatestContacts({ groups }: { groups: { value: string; label: string }[] }) {
	const latest = useQuery(query(contacts.latest))
	const { actions, dialogs } = useContactDialogs(groups)
	return (
		<Card title="Latest Contacts (Last 10)" flush>
			<DataTable
				label="Latest Contacts (Last 10)"
				query={latest}
				rows={latest.data?.contacts}
				rowKey={(contact) => contact._id}
				columns={[...latestColumns, actions]}
				empty={
					<EmptyState
						title="No contacts yet"
						hint="Contacts you add or upload appear here."
						icon={<IconAddressBook size={32} stroke={1.5} aria-hidden />}
					/>
				}
				failed="Failed to fetch contacts"
				toasts={briefToast}
			/>
			{dialogs}
		</Card>
	)
}

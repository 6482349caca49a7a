import { Box, Button, Group, Tabs } from '@mantine/core'
import { IconAddressBook, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { latestColumns } from '../contact-columns.tsx'
import { ContactDialog } from '../contact-dialog.tsx'
import { useContactDialogs } from '../use-contact-dialogs.tsx'
import { useGroupOptions } from '../use-group-options.ts'
import { BulkUpload } from './bulk-upload.tsx'

export function UploadContacts() {
	const [tab, setTab] = useSearchText('tab')
	const groups = useGroupOptions()
	return (
		<>
			<PageHeader title="Upload Contacts" hint="Add contacts one by one, or upload a file." />
			<div className="stack">
				<Card>
					<Tabs
						value={tab === 'bulk' ? 'bulk' : 'manual'}
						onChange={(chosen) => setTab(chosen === 'bulk' ? 'bulk' : '')}
						keepMounted={false}
					>
						<Tabs.List mb={20}>
							<Tabs.Tab value="manual">Manual Upload</Tabs.Tab>
							<Tabs.Tab value="bulk">Bulk Upload</Tabs.Tab>
						</Tabs.List>
						<Tabs.Panel value="manual">
							<ManualUpload groups={groups} />
						</Tabs.Panel>
						<Tabs.Panel value="bulk" keepMounted>
							<BulkUpload groups={groups} />
						</Tabs.Panel>
					</Tabs>
				</Card>
				<LatestContacts groups={groups} />
			</div>
		</>
	)
}

interface ManualUploadProps {
	groups: { value: string; label: string }[]
}

function ManualUpload({ groups }: ManualUploadProps) {
	const adding = useDraftDialog<never>('contact-new')
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				Add one contact with a name and number. It appears in the list below.
			</Box>
			<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => adding.open(null)}>
				Add New Contact
			</Button>
			<ContactDialog opened={adding.opened} groups={groups} onClose={adding.close} />
		</Group>
	)
}

function LatestContacts({ groups }: { groups: { value: string; label: string }[] }) {
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

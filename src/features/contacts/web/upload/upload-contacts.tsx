import { Box, Button, Group, Tabs } from '@mantine/core'
import { IconAddressBook, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import type { ContactRow } from '#features/contacts/contract.ts'
import { query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { latestColumns } from '../contact-columns.tsx'
import { useContactDialogs } from '../use-contact-dialogs.tsx'
import { BulkUpload } from './bulk-upload.tsx'

export function UploadContacts() {
	const [tab, setTab] = useSearchText('tab')
	const { add, actions, dialogs } = useContactDialogs()
	const [isWorking, setWorking] = useState(false)
	const isBulk = tab === 'bulk'
	return (
		<>
			<PageHeader title="Upload Contacts" hint="Add contacts one at a time, or upload a CSV or Excel file." />
			<div className="stack">
				<Card>
					<Tabs
						value={isBulk ? 'bulk' : 'manual'}
						onChange={(chosen) => setTab(chosen === 'bulk' ? 'bulk' : '')}
						keepMounted={false}
					>
						<Tabs.List mb={20}>
							<Tabs.Tab value="manual">Manual Upload</Tabs.Tab>
							<Tabs.Tab value="bulk">Bulk Upload</Tabs.Tab>
						</Tabs.List>
						<Tabs.Panel value="manual">
							<ManualUpload onAdd={add} />
						</Tabs.Panel>
						<Tabs.Panel value="bulk" keepMounted>
							<BulkUpload onWork={setWorking} />
						</Tabs.Panel>
					</Tabs>
				</Card>
				{/* Hidden while a file is prepared and uploaded, which is then the only task on the screen. */}
				{!(isBulk && isWorking) && <LatestContacts actions={actions} />}
			</div>
			{dialogs}
		</>
	)
}

function ManualUpload({ onAdd }: { onAdd: () => void }) {
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				Add one contact with a name and number. It appears in the list below.
			</Box>
			<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
				Add New Contact
			</Button>
		</Group>
	)
}

function LatestContacts({ actions }: { actions: Column<ContactRow> }) {
	const latest = useQuery(query(contacts.latest))
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
		</Card>
	)
}

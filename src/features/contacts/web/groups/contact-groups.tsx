import { Button } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import { type GroupRow } from '#features/contacts/group-contract.ts'
import { GROUP_SORTS } from '#features/contacts/list-contract.ts'
import { paged } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { DeleteGroup } from './delete-group.tsx'
import { groupColumns } from './group-columns.tsx'
import { GroupDialog } from './group-dialog.tsx'

export function ContactGroups() {
	const shown = useListPage()
	const { sort, order, tableSort } = useSort(GROUP_SORTS, { sort: 'createdAt', order: 'desc' })
	const list = useQuery(paged(contacts.groups, { query: { ...shown.query, sort, order } }))
	const edit = useDraftDialog<GroupRow>('group')
	const add = () => edit.open(null)
	const remove = useDialogFor<GroupRow>()
	const [saved, setSaved] = useState<string | null>(null)
	return (
		<>
			<PageHeader
				title="Contact Groups"
				hint="Send a campaign to one group instead of all contacts."
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
						Add New Group
					</Button>
				}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name"
				label="Contact Groups"
				query={list}
				rows={list.data?.contactGroups}
				pages={list.data?.pages}
				rowKey={(group) => group._id}
				columns={groupColumns({ onEdit: edit.open, onDelete: remove.open })}
				highlight={saved}
				sort={tableSort()}
				empty={<NoGroups search={shown.search} onAdd={add} onClear={() => shown.setSearch('')} />}
				failed="Failed to fetch groups"
				toasts={briefToast}
				hideSingle
			/>
			<GroupDialog dialog={edit} onSaved={setSaved} />
			<DeleteGroup dialog={remove} />
		</>
	)
}

function NoGroups({ search, onAdd, onClear }: { search: string; onAdd: () => void; onClear: () => void }) {
	return (
		<EmptyState
			title={search ? 'No groups match' : 'No groups yet'}
			hint={search ? 'Try part of the name.' : 'Group contacts that get the same campaigns.'}
			icon={<IconUsersGroup size={32} stroke={1.5} aria-hidden />}
			action={
				<Button variant="default" onClick={search ? onClear : onAdd}>
					{search ? 'Show all groups' : 'Add your first group'}
				</Button>
			}
		/>
	)
}

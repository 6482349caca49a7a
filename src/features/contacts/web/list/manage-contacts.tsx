import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { contacts } from '#features/contacts/contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { Id, PAGE_SIZE } from '#lib/fields.ts'
import { plural } from '#lib/numbers.ts'
import { paged } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { SearchBox } from '#lib/web/ui/table/search-box.tsx'
import { contactColumns } from '../contact-columns.tsx'
import { ContactDialog } from '../contact-dialog.tsx'
import { useContactDialogs } from '../use-contact-dialogs.tsx'
import { useGroupOptions } from '../use-group-options.ts'
import { ExportContacts } from './export-contacts.tsx'
import { NoContacts } from './no-contacts.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.tsx'
import styles from './manage-contacts.module.css'

export function ManageContacts() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	const [groupText, setGroup] = useSearchText('group')
	const group = Id.safeParse(groupText).data
	const list = useQuery(paged(contacts.list, { query: { page, limit: PAGE_SIZE, search, group } }))
	const groups = useGroupOptions()
	const [adding, { open, close }] = useDisclosure(false)
	const [saved, setSaved] = useState<string | null>(null)
	const { actions, dialogs } = useContactDialogs(groups, setSaved)
	const { ids, clear, withBox, pageBox } = useSelection()
	const [name, ...others] = contactColumns
	const rows = list.data?.contacts

	return (
		<>
			<PageHeader
				title="Manage Contacts"
				hint={list.data ? countOf(list.data, Boolean(search || group)) : 'Counting contacts...'}
				actions={
					<>
						<Button component={Link} to={contactPaths.optOuts} variant="default">
							Opt-outs
						</Button>
						<ExportContacts search={search} group={group} />
						<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
							Add New Contact
						</Button>
					</>
				}
			/>
			<Card flush>
				<div className="toolbar">
					<SearchBox value={search} onSearch={setSearch} placeholder="Search by name or number" />
					{rows && rows.length > 0 && pageBox(rows)}
					<Select
						className={styles.group}
						aria-label="Group"
						placeholder="All groups"
						data={groups}
						value={group ?? null}
						onChange={(chosen) => setGroup(chosen ?? '')}
						clearable
						searchable
						limit={50}
						nothingFoundMessage="No matching group"
					/>
				</div>
				{ids.length > 0 && <SelectionBar ids={ids} groups={groups} onDone={clear} />}
				<DataTable
					label="Contacts"
					query={list}
					rows={rows}
					rowKey={(contact) => contact._id}
					columns={[...(name ? [withBox(name)] : []), ...others, actions]}
					highlight={saved}
					empty={<NoContacts isFiltered={Boolean(search || group)} onAdd={open} />}
					failed="Failed to fetch contacts"
					toasts={briefToast}
					footer={
						<Pager page={page} pages={list.data?.pages} isAtLeast={list.data?.hasMore} onTurn={setPage} hideSingle />
					}
				/>
			</Card>
			<ContactDialog opened={adding} groups={groups} onClose={close} onSaved={setSaved} />
			{dialogs}
		</>
	)
}

function countOf({ total, hasMore }: { total: number; hasMore: boolean }, isFiltered: boolean): string {
	return `${hasMore ? 'At least ' : ''}${plural(total, 'contact')}${isFiltered ? ' found' : ''}`
}

import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Id } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { DataTable } from '#lib/web/ui/data-table.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { Pager } from '#lib/web/ui/pager.tsx'
import { SearchBox } from '#lib/web/ui/search-box.tsx'
import { usePage } from '#lib/web/ui/use-page.ts'
import { useSearchText } from '#lib/web/ui/use-search-text.ts'
import { contacts } from '../contract.ts'
import { contactColumns } from './contact-columns.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { NoContacts } from './no-contacts.tsx'
import { useGroupOptions } from './use-group-options.ts'
import styles from './manage-contacts.module.css'

export function ManageContacts() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	const [groupText, setGroup] = useSearchText('group')
	const group = Id.safeParse(groupText).data
	const list = useQuery(paged(contacts.list, { query: { page, search, group } }))
	const groups = useGroupOptions()
	const [adding, { open, close }] = useDisclosure(false)
	const [added, setAdded] = useState<string | null>(null)

	return (
		<>
			<PageHeader
				title="Manage Contacts"
				hint={list.data ? countOf(list.data.total, Boolean(search || group)) : 'Counting contacts...'}
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
						Add New Contact
					</Button>
				}
			/>
			<Card flush>
				<div className="toolbar">
					<SearchBox value={search} onSearch={setSearch} placeholder="Search by name or number" />
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
						nothingFoundMessage="No such group"
					/>
				</div>
				<DataTable
					label="Contacts"
					query={list}
					rows={list.data?.contacts}
					rowKey={(contact) => contact._id}
					columns={contactColumns}
					highlight={added}
					empty={<NoContacts isFiltered={Boolean(search || group)} onAdd={open} />}
					failed="Failed to fetch contacts"
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
			<ContactDialog opened={adding} groups={groups} onClose={close} onAdded={setAdded} />
		</>
	)
}

function countOf(total: number, isFiltered: boolean): string {
	const figure = total.toLocaleString('en-IN')
	return `${figure} ${total === 1 ? 'contact' : 'contacts'}${isFiltered ? ' found' : ''}`
}

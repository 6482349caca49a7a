import { Button, Menu, Select } from '@mantine/core'
import { IconAddressBook, IconChevronDown, IconPlus, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import { CONTACT_SORTS, type ContactSort } from '#features/contacts/list-contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { privacyPath } from '#features/privacy/paths.ts'
import { readId } from '#lib/fields.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call, type ResponseOf } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { choicesOf } from '#lib/web/ui/form/choices.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { contactColumns } from '../contact-columns.tsx'
import { useCustomFields } from '../custom-fields.ts'
import { GroupSelect, MissingChoices } from '../group-select.tsx'
import { useContactDialogs } from '../use-contact-dialogs.tsx'
import { FieldFilter } from './field-filter.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { isNarrowed, type Narrowed, useSelection } from './use-selection.tsx'
import styles from './manage-contacts.module.css'

export function ManageContacts() {
	const shown = useListPage()
	const { search } = shown
	const [groupText, setGroup] = useSearchText('group')
	const group = readId(groupText)
	const [tagText, setTag] = useSearchText('tag')
	const tag = readId(tagText)
	const [fieldText, setField] = useSearchText('field')
	const { field, value } = readField(fieldText)
	const narrowed = { search, group, tag, field, value }
	const { sort, order, tableSort } = useSort(CONTACT_SORTS, { sort: 'added', order: 'desc' })
	const list = useQuery(paged(contacts.list, { query: { ...shown.query, ...narrowed, sort, order } }))
	const [saved, setSaved] = useState<string | null>(null)
	const { add, actions, dialogs } = useContactDialogs(setSaved)
	const [name, ...others] = contactColumns
	const rows = list.data?.contacts
	const selection = useSelection(rows, narrowed)
	const isFiltered = isNarrowed(narrowed)

	return (
		<>
			<PageHeader
				title="Manage Contacts"
				hint={!list.isError && hintOf(list.data, { isFiltered, sort: list.isPlaceholderData ? null : sort })}
				actions={<Actions narrowed={narrowed} onAdd={add} />}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name or number"
				filters={
					<>
						<ListFilters narrowed={narrowed} setGroup={setGroup} setTag={setTag} setField={setField} />
						{selection.pageBox()}
					</>
				}
				label="Contacts"
				query={list}
				rows={rows}
				pages={list.data?.pages}
				isAtLeast={list.data?.hasMore}
				hideSingle
				rowKey={(contact) => contact._id}
				columns={[...(name ? [selection.withBox(name)] : []), ...others, actions]}
				highlight={saved}
				sort={tableSort(!list.isPlaceholderData && list.data)}
				empty={<NoContacts isFiltered={isFiltered} onAdd={add} />}
				failed="Failed to fetch contacts"
				toasts={briefToast}
			>
				{selection.count > 0 && list.data && (
					<SelectionBar selection={selection} listed={{ ...narrowed, ...list.data, isOld: list.isPlaceholderData }} />
				)}
			</ListCard>
			{dialogs}
		</>
	)
}

interface ListFiltersProps {
	narrowed: Narrowed
	setGroup: (group: string) => void
	setTag: (tag: string) => void
	setField: (text: string) => void
}

/** Parses the address parameter: "3" is a field, "3:Pune" a field with a value. Returns no field for an invalid id. */
function readField(text: string): Pick<Narrowed, 'field' | 'value'> {
	const [id = '', ...value] = text.split(':')
	const field = readId(id)
	return { field, value: field && (value.join(':') || undefined) }
}

function ListFilters({ narrowed, setGroup, setTag, setField }: ListFiltersProps) {
	const { group, tag, field, value = '' } = narrowed
	const { tags, fields } = useCustomFields()
	const asked = fields.find(({ _id }) => _id === field)
	return (
		<Filters set={Number(Boolean(group)) + Number(Boolean(tag)) + Number(Boolean(field))}>
			<GroupSelect
				className={styles.group}
				aria-label="Group"
				placeholder="All groups"
				clearable
				value={group ?? null}
				onChange={(chosen) => setGroup(chosen ?? '')}
			/>
			{(tags.length > 0 || tag) && (
				<Select
					className={styles.group}
					aria-label="Tag"
					placeholder="All tags"
					clearable
					searchable
					limit={50}
					nothingFoundMessage="No matching tag"
					data={choicesOf(tags)}
					value={tag ?? null}
					onChange={(chosen) => setTag(chosen ?? '')}
				/>
			)}
			{(fields.length > 0 || field) && (
				<Select
					className={styles.group}
					aria-label="Field"
					placeholder="All fields"
					clearable
					data={choicesOf(fields)}
					value={field ?? null}
					onChange={(id) => setField(id ?? '')}
				/>
			)}
			{asked && (
				<FieldFilter
					key={asked._id}
					field={asked}
					value={value}
					onChange={(text) => setField(`${asked._id}:${text}`)}
				/>
			)}
			<MissingChoices />
		</Filters>
	)
}

function Actions({ narrowed, onAdd }: { narrowed: Narrowed; onAdd: () => void }) {
	return (
		<>
			<Menu>
				<Menu.Target>
					<Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
						More
					</Button>
				</Menu.Target>
				<Menu.Dropdown>
					<Menu.Item component={Link} to={contactPaths.fields}>
						Tags and fields
					</Menu.Item>
					<Menu.Item component={Link} to={contactPaths.optOuts}>
						Opt-outs
					</Menu.Item>
					<Menu.Item component={Link} to={privacyPath}>
						Data and privacy
					</Menu.Item>
				</Menu.Dropdown>
			</Menu>
			<ExportContacts narrowed={narrowed} />
			<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
				Add New Contact
			</Button>
		</>
	)
}

type Listed = Pick<ResponseOf<typeof contacts.list>, 'total' | 'hasMore' | 'sort'>

function hintOf(listed: Listed | undefined, asked: { isFiltered: boolean; sort: ContactSort | null }): string {
	if (!listed) return 'Counting contacts...'
	const { total, hasMore, sort } = listed
	const found = asked.isFiltered ? ' found' : ''
	const count = hasMore ? `${formatCount(total)}+${found || ' contacts'}` : `${plural(total, 'contact')}${found}`
	return asked.sort === null || asked.sort === sort
		? count
		: `${count}. They are too many to be sorted: the newest come first.`
}

/** Renders the button that exports all pages of the list. */
function ExportContacts({ narrowed }: { narrowed: Narrowed }) {
	return (
		<DownloadButton
			busyText="Exporting..."
			read={() => call(contacts.exportCsv, { query: narrowed })}
			fileName="contacts.csv"
			failed={(error) => briefToast.failure(error, 'Failed to fetch contacts')}
		>
			Export CSV
		</DownloadButton>
	)
}

interface NoContactsProps {
	/** True when a search or filter is set, so contacts may exist although none are listed. */
	isFiltered: boolean
	onAdd: () => void
}

function NoContacts({ isFiltered, onAdd }: NoContactsProps) {
	const [, setAddress] = useSearchParams()
	if (isFiltered)
		return (
			<EmptyState
				title="No contacts match"
				hint="Try part of the name, the last digits of the number, another group, tag or field."
				icon={<IconUserSearch size={32} stroke={1.5} aria-hidden />}
				action={
					<Button variant="default" onClick={() => setAddress({})}>
						Show all contacts
					</Button>
				}
			/>
		)
	return (
		<EmptyState
			title="No contacts yet"
			hint="Add the people you want to reach. Then send campaigns to all of them, or to a group."
			icon={<IconAddressBook size={32} stroke={1.5} aria-hidden />}
			action={
				<Button variant="default" onClick={onAdd}>
					Add your first contact
				</Button>
			}
		/>
	)
}

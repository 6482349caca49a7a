import { Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import type { ContactRow } from '#features/contacts/contract.ts'
import type { MatchingContacts } from '#features/contacts/list-contract.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { nameOf } from '../contact-columns.tsx'
import styles from './manage-contacts.module.css'

/** Maximum ids of one call. */
const MAX_CHOSEN = 1000

export interface Selection {
	/** Ids of ticked contacts, on any page. */
	ids: string[]
	/** Filter that selects all matching contacts; null when contacts are selected by id. */
	matching: MatchingContacts | null
	count: number
	clear: () => void
	chooseMatching: (matching: MatchingContacts) => void
	/** Adds a checkbox to each cell of a column. */
	withBox: (column: Column<ContactRow>) => Column<ContactRow>
	/** Renders the checkbox that selects all rows of the page, or none. */
	pageBox: () => React.ReactNode
	isPageChosen: boolean
}

/** Search and filters of a list. */
export interface Narrowed {
	search: string
	group: string | undefined
	tag: string | undefined
	/** Field that must have `value`; any value of the field matches when `value` is undefined. */
	field: string | undefined
	value: string | undefined
}

export function isNarrowed({ search, group, tag, field }: Narrowed): boolean {
	return Boolean(search || group || tag || field)
}

const NARROWED_BY = ['search', 'group', 'tag', 'field', 'value'] as const

interface Chosen {
	ids: ReadonlySet<string>
	matching: MatchingContacts | null
}

const NONE: Chosen = { ids: new Set(), matching: null }

/** Holds the selection of contacts. A selection by filter lasts as long as the filter is unchanged. */
export function useSelection(rows: readonly ContactRow[] | undefined, filter: Narrowed): Selection {
	const [chosen, setChosen] = useState(NONE)
	const { matching: all } = chosen
	const isSame = NARROWED_BY.every((key) => all?.[key] === filter[key])
	const matching = isSame ? chosen.matching : null
	const page = (rows ?? []).map(({ _id }) => _id)
	const isChosen = (id: string) => matching !== null || chosen.ids.has(id)
	const set = (ids: string[], on: boolean) =>
		setChosen((old) => {
			const next = new Set(matching ? page : old.ids)
			for (const id of ids)
				if (!on) next.delete(id)
				else if (next.size < MAX_CHOSEN) next.add(id)
			return { ids: next, matching: null }
		})
	const onPage = page.filter(isChosen).length
	const isPageChosen = page.length > 0 && onPage === page.length
	return {
		ids: [...chosen.ids],
		matching,
		count: matching?.total ?? chosen.ids.size,
		isPageChosen,
		clear: () => setChosen(NONE),
		chooseMatching: (found) => setChosen({ ids: new Set(), matching: found }),
		withBox: (column) => ({
			...column,
			cell: (contact, index) => (
				<Group component="span" className={styles.boxed} gap={12} wrap="nowrap">
					<Checkbox
						aria-label={`Select ${nameOf(contact)}`}
						checked={isChosen(contact._id)}
						onChange={(event) => set([contact._id], event.currentTarget.checked)}
					/>
					{column.cell(contact, index)}
				</Group>
			),
		}),
		pageBox: () =>
			page.length > 0 && (
				<Checkbox
					className={styles.page}
					label="Select this page"
					checked={isPageChosen}
					indeterminate={onPage > 0 && !isPageChosen}
					onChange={(event) => set(page, event.currentTarget.checked)}
				/>
			),
	}
}

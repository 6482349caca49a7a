import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { ContactRow } from '#features/contacts/contract.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { nameOf } from '../contact-columns.tsx'
import styles from './manage-contacts.module.css'

/** As many as one call takes. */
const MOST = 1000

interface Selection {
	ids: string[]
	clear: () => void
	/** The column, with a box in front of what it shows. */
	withBox: (column: Column<ContactRow>) => Column<ContactRow>
	/** All rows of the page, or none of them. */
	pageBox: (rows: readonly ContactRow[]) => React.ReactNode
}

/** Which contacts are ticked, on whatever pages. */
export function useSelection(): Selection {
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
	const set = (ids: string[], on: boolean) =>
		setChosen((old) => {
			const next = new Set(old)
			for (const id of ids)
				if (!on) next.delete(id)
				else if (next.size < MOST) next.add(id)
			return next
		})
	return {
		ids: [...chosen],
		clear: () => setChosen(new Set()),
		withBox: (column) => ({
			...column,
			cell: (contact, index) => (
				<span className={styles.boxed}>
					<Checkbox
						aria-label={`Select ${nameOf(contact)}`}
						checked={chosen.has(contact._id)}
						onChange={(event) => set([contact._id], event.currentTarget.checked)}
					/>
					{column.cell(contact, index)}
				</span>
			),
		}),
		pageBox(rows) {
			const ids = rows.map(({ _id }) => _id)
			const count = ids.filter((id) => chosen.has(id)).length
			return (
				<Checkbox
					label="Select this page"
					checked={ids.length > 0 && count === ids.length}
					indeterminate={count > 0 && count < ids.length}
					onChange={(event) => set(ids, event.currentTarget.checked)}
				/>
			)
		},
	}
}

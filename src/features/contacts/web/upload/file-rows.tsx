import { IconPencil } from '@tabler/icons-react'
import { startTransition, useEffect, useRef, useState } from 'react'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { formatCount } from '#lib/numbers.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { CorrectRow } from './correct-row.tsx'
import type { ContactRow } from './csv/contacts-file.ts'
import type { Summary } from './csv/csv-messages.ts'
import { MAX_SHOWN, rowsOf, type Tile } from './csv/file-summary.ts'
import type { CsvFile } from './use-csv-file.ts'

const PAGE_ROWS = 10

const STATES = {
	new: { label: 'New', tone: 'ok' },
	update: { label: 'Already a contact', tone: 'info' },
	unlikely: { label: 'Looks wrong', tone: 'warn' },
	refused: { label: 'Wrong number', tone: 'error' },
	dropped: { label: 'Incomplete', tone: 'error' },
	duplicate: { label: 'Duplicate', tone: 'neutral' },
} as const

interface FileRowsProps {
	title: string
	summary: Summary
	/** Null shows the rows of all tiles, those with problems first. */
	tile: Tile | null
	correct: CsvFile['correct']
}

/** Renders the table of the file's rows; each row with a problem can be corrected in place. */
export function FileRows({ title, summary, tile, correct }: FileRowsProps) {
	const [page, setPage] = useState(1)
	const { edited, edit, close, card } = useEditedRow()
	const rows = rowsOf(summary, tile)
	const save = async (row: number, typed: TypedPerson) => {
		await correct(row, typed)
		close()
	}
	const below = (row: ContactRow) =>
		row.row === edited && <CorrectRow row={row} onSave={(typed) => save(row.row, typed)} onCancel={close} />
	if (rows.length === 0) return null
	return (
		<div ref={card} tabIndex={-1}>
			<Card flush title={title} hint={hintOf(summary, tile)}>
				<DataRows
					label={title}
					rows={rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)}
					rowKey={({ row }) => String(row)}
					columns={[...columns, actionsOf(edit)]}
					expanded={below}
				/>
				<Pager
					label="Pages of the file"
					page={page}
					pages={Math.ceil(rows.length / PAGE_ROWS)}
					onTurn={setPage}
					hideSingle
				/>
			</Card>
		</div>
	)
}

function hintOf({ counts }: Summary, tile: Tile | null): string {
	const problems = counts.unlikely + counts.refused
	const count = tile ? counts[tile] : problems
	const others = tile === 'new' || tile === 'update' ? '' : ' Correct the others in the file, and choose it again.'
	if (count > MAX_SHOWN) return `The first ${MAX_SHOWN} of ${formatCount(count)}.${others}`
	return tile || problems === 0 ? '' : 'Problem rows first.'
}

/**
 * Holds the row that is being corrected. On closing, the focus returns to the row's button, or to the first button of
 * the table when the row has no button any more, or to the card without any.
 */
function useEditedRow() {
	const [edited, setEdited] = useState<number | null>(null)
	const card = useRef<HTMLDivElement>(null)
	const left = useRef<number | null>(null)
	useEffect(() => {
		if (edited !== null || left.current === null) return
		const own = card.current?.querySelector<HTMLElement>(`[aria-label="${labelOf(left.current)}"]`)
		const next = own ?? card.current?.querySelector<HTMLElement>('[data-row] button')
		left.current = null
		const target = next ?? card.current
		target?.focus()
	}, [edited])
	return {
		edited,
		edit: setEdited,
		card,
		close() {
			left.current = edited
			// Uses a transition, so that the form closes together with the update of the rows.
			startTransition(() => setEdited(null))
		},
	}
}

function labelOf(row: number): string {
	return `Correct row ${row}`
}

const columns: Column<ContactRow>[] = [
	{ header: 'Row', cell: ({ row }) => <span className="figures">{row}</span>, width: '64px', minWidth: 64 },
	{
		header: 'First name',
		cell: ({ firstName }) => <UserText text={firstName.slice(0, 100) || '-'} />,
		narrow: 'title',
	},
	{ header: 'Last name', cell: ({ lastName }) => lastName && <UserText text={lastName.slice(0, 100)} /> },
	{
		header: 'Number',
		cell: ({ number, canonical }) => (
			<bdi className="figures" dir="ltr">
				{canonical ? displayNumber(canonical) : number.slice(0, 40) || '-'}
			</bdi>
		),
		minWidth: 160,
		narrow: 'under',
	},
	{
		header: 'State',
		cell: ({ state }) => <ToneBadge {...STATES[state]} />,
		minWidth: 140,
		narrow: 'corner',
	},
	{ header: 'Reason', cell: ({ reason }) => reason, minWidth: 180, isProse: true },
]

function actionsOf(edit: (row: number) => void): Column<ContactRow> {
	return actionsColumn({
		nameOf: ({ row }) => `row ${row}`,
		actionsOf: ({ row, state }) =>
			state === 'new' || state === 'update'
				? []
				: [{ word: 'Correct', label: labelOf(row), Icon: IconPencil, onClick: () => edit(row) }],
	})
}

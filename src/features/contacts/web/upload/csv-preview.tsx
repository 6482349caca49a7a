import { formatCount } from '#lib/numbers.ts'
import { canonicalNumber, displayNumber } from '#lib/phone.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { RowState } from './csv/contacts-file.ts'
import type { Summary } from './csv/csv-messages.ts'

const STATES = {
	valid: { label: 'Valid', tone: 'ok', hint: 'Ready to upload' },
	dropped: { label: 'Dropped', tone: 'error', hint: 'First name or number is missing or not valid' },
	duplicate: { label: 'Duplicate', tone: 'neutral', hint: 'The number appears earlier in the file' },
	refused: { label: 'Will be refused', tone: 'error', hint: '' },
	unlikely: { label: 'Unlikely', tone: 'warn', hint: 'Check these numbers before you upload' },
} as const

/** What will become of the file's rows, before anything is sent. */
export function CsvPreview({ summary: { counts, preview, total } }: { summary: Summary }) {
	const tiles = { ...counts, dropped: counts.dropped + counts.refused }
	return (
		<section className="stack" aria-label="Preview">
			<div className="tiles">
				{(['valid', 'dropped', 'duplicate', 'unlikely'] as const).map((state) => (
					<StatTile
						key={state}
						label={STATES[state].label}
						value={formatCount(tiles[state])}
						hint={STATES[state].hint}
					/>
				))}
			</div>
			{total === 0 && (
				<Notice tone="error" role="status">
					No valid contacts found in CSV
				</Notice>
			)}
			{preview.length > 0 && (
				<Card flush>
					<DataRows label="First rows of the file" rows={preview} rowKey={({ row }) => String(row)} columns={columns} />
				</Card>
			)}
		</section>
	)
}

const columns: Column<Summary['preview'][number]>[] = [
	{ header: 'Row', cell: ({ row }) => <span className="figures">{row}</span>, width: '64px', minWidth: 64 },
	{
		header: 'First name',
		cell: ({ firstName }) => <UserText text={firstName.slice(0, 100) || '-'} />,
		narrow: 'title',
	},
	{ header: 'Last name', cell: ({ lastName }) => <UserText text={lastName.slice(0, 100) || '-'} /> },
	{
		header: 'Number',
		cell: ({ number, state }) => (
			<bdi className="figures" dir="ltr">
				{shown(number, state)}
			</bdi>
		),
		minWidth: 160,
		narrow: 'under',
	},
	{
		header: 'State',
		cell: ({ state, reason }) => (
			<Stacked under={reason}>
				<span>
					<ToneBadge tone={STATES[state].tone} label={STATES[state].label} />
				</span>
			</Stacked>
		),
		minWidth: 180,
		isProse: true,
	},
]

/** One that is refused as it was typed, as it has no country. */
function shown(number: string, state: RowState): string {
	const canonical = state === 'refused' ? null : canonicalNumber(number)
	return canonical ? displayNumber(canonical) : number.slice(0, 40) || '-'
}

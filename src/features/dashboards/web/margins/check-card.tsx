import type { UsageCheck } from '#features/dashboards/margin-contract.ts'
import { formatCalendarDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'

/** Shows the days on which WhatsApp's own count differs from the counts of this product. */
export function CheckCard({ check }: { check: UsageCheck | null }) {
	return (
		<Card
			title="Check against WhatsApp"
			hint="Each night our counts of the past days are compared with WhatsApp’s. This moves no money."
		>
			{check === null ? (
				<p className="quiet">Not compared yet.</p>
			) : !check.isReadable ? (
				<p className="quiet">
					Not readable: the account’s access token may not read WhatsApp’s counts. Tried{' '}
					<DateTime iso={check.checkedAt} />.
				</p>
			) : (
				<>
					<p className="quiet">
						{check.differences.length === 0 ? 'No differences' : 'Differences'} as of <DateTime iso={check.checkedAt} />
						.
					</p>
					{check.differences.length > 0 && (
						<DataRows
							label="Differences from WhatsApp’s counts"
							rows={check.differences}
							rowKey={({ day, category }) => `${day} ${category}`}
							columns={COLUMNS}
						/>
					)}
				</>
			)}
		</Card>
	)
}

const COLUMNS: Column<UsageCheck['differences'][number]>[] = [
	{ header: 'Day', cell: ({ day }) => formatCalendarDay(day), width: '110px' },
	{ header: 'Category', cell: ({ name }) => name, narrow: 'title' },
	{
		header: 'Counted here',
		cell: ({ counted, countedFree }) => withFree(counted, countedFree),
		align: 'right',
		width: '150px',
	},
	{
		header: 'WhatsApp’s count',
		cell: ({ reported, reportedFree }) => withFree(reported, reportedFree ?? 0),
		align: 'right',
		width: '170px',
	},
	{
		header: 'Difference',
		cell: ({ counted, reported }) => signed(counted - reported),
		align: 'right',
		width: '120px',
		narrow: 'corner',
	},
]

function withFree(messages: number, free: number): string {
	return free === 0 ? formatCount(messages) : `${formatCount(messages)}, ${formatCount(free)} free`
}

function signed(count: number): string {
	if (count === 0) return '0'
	return `${count > 0 ? '+' : '−'}${formatCount(Math.abs(count))}`
}

import type { Column } from '../column.ts'
import { TwoLines } from './two-lines.tsx'

/** Returns the column with the serial number of each row; `before` is the number of rows on the preceding pages. */
export function serialColumn(before: number): Column<unknown> {
	return {
		header: 'Sl',
		cell: (_, index) => <span className="figures">{before + index + 1}</span>,
		width: '64px',
		minWidth: 64,
		narrow: 'hidden',
	}
}

export const nameColumn: Column<{ name: string }> = {
	header: 'Name',
	cell: ({ name }) => (
		<b>
			<TwoLines text={name} />
		</b>
	),
	narrow: 'title',
}

export const emailColumn: Column<{ email: string }> = {
	header: 'Email',
	cell: ({ email }) => <TwoLines text={email} />,
	minWidth: 184,
	narrow: 'under',
}

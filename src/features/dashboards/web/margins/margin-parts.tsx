import { NativeSelect } from '@mantine/core'
import type { Margin } from '#features/dashboards/margin-contract.ts'
import { addMonths, indianDay, monthName } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { Money } from '#lib/web/ui/value/money.tsx'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { chargeText, marginWithGstText } from '../margin-words.ts'

const MONTHS = 24

/** Returns the month in the URL, the current one by default, and a function that changes it. */
export function useMonth(): [month: string, setMonth: (month: string) => void] {
	const thisMonth = indianDay(useNow(false)).slice(0, 7)
	const [chosen, setChosen] = useSearchText('month')
	return [/^20\d\d-\d\d$/.test(chosen) ? chosen : thisMonth, setChosen]
}

interface MonthChoiceProps {
	month: string
	onChoose: (month: string) => void
}

export function MonthChoice({ month, onChoose }: MonthChoiceProps) {
	const thisMonth = indianDay(useNow(false)).slice(0, 7)
	const months = Array.from({ length: MONTHS }, (_, index) => addMonths(thisMonth, -index))
	const shown = months.includes(month) ? months : [...months, month]
	return (
		<NativeSelect
			aria-label="Month"
			data={shown.map((value) => ({ value, label: monthName(value) }))}
			value={month}
			onChange={({ currentTarget }) => onChoose(currentTarget.value)}
		/>
	)
}

/** Renders revenue, WhatsApp's charge and the margin of a month; skeletons while they load. */
export function MarginTiles({ of }: { of: Margin | undefined }) {
	return (
		<div className="tiles">
			<StatTile label="Revenue" value={of && formatRupees(of.revenue)} hint="After refunds" />
			<StatTile label="WhatsApp’s charge" value={of && formatRupees(of.cost)} hint={of && chargeText(of)} tone="warn" />
			<StatTile
				label="Margin"
				value={of && formatRupees(of.margin)}
				hint={of && `${shareOf(of)}, ${marginWithGstText(of)}`}
				tone={of && of.margin < 0 ? 'error' : 'ok'}
			/>
			<StatTile
				label="Messages delivered"
				value={of && formatCount(of.messages)}
				hint={of && `${formatCount(of.free)} free of charge, ${formatCount(of.estimated)} estimated`}
				tone="info"
			/>
		</div>
	)
}

function shareOf({ revenue, margin }: Margin): string {
	return revenue > 0 ? `${Math.round((margin / revenue) * 100)}% of the revenue` : 'No revenue'
}

/** Explains messages that the cost leaves out or estimates; renders nothing without any. */
export function MarginNotice({ of }: { of: Margin | undefined }) {
	if (!of || (of.unrated === 0 && of.estimated === 0)) return null
	return (
		<Notice tone={of.unrated > 0 ? 'warn' : 'info'}>
			{of.unrated > 0 && (
				<>
					The rate of {plural(of.unrated, 'message')} is unknown, so WhatsApp’s charge is higher than shown. Load
					WhatsApp’s rate card for the missing rates.{' '}
				</>
			)}
			{of.estimated > 0 && (
				<>
					WhatsApp has not said what it charges for {plural(of.estimated, 'message')}:{' '}
					{of.estimated === 1 ? 'it counts' : 'they count'} as charged in {of.estimated === 1 ? 'its' : 'their'} own
					category.
				</>
			)}
		</Notice>
	)
}

/** Renders an amount, in red below zero. */
function SignedMoney({ rupees }: { rupees: number }) {
	return rupees < 0 ? (
		<span className="faulty">
			<Money rupees={rupees} />
		</span>
	) : (
		<Money rupees={rupees} />
	)
}

/** Renders a count of messages, with those that are free or of unknown rate below it. */
function MessageCount({ of }: { of: { messages: number; free: number; unrated: number } }) {
	const parts = [
		of.free > 0 && `${formatCount(of.free)} free`,
		of.unrated > 0 && `${formatCount(of.unrated)} of unknown rate`,
	].filter((part) => part !== false)
	return (
		<div>
			<span className="figures">{formatCount(of.messages)}</span>
			{parts.length > 0 && <div className="fine">{parts.join(', ')}</div>}
		</div>
	)
}

export const MESSAGES_COLUMN: Column<Pick<Margin, 'messages' | 'free' | 'unrated'>> = {
	header: 'Messages',
	cell: (row) => <MessageCount of={row} />,
	align: 'right',
	width: '170px',
	minWidth: 130,
}

export const CHARGE_COLUMN: Column<Pick<Margin, 'cost'>> = {
	header: 'WhatsApp’s charge',
	cell: ({ cost }) => <Money rupees={cost} />,
	align: 'right',
	width: '170px',
}

/** The columns of the figures of an account or a category. */
export const FIGURE_COLUMNS: Column<Margin>[] = [
	MESSAGES_COLUMN,
	{ header: 'Revenue', cell: ({ revenue }) => <Money rupees={revenue} />, align: 'right', width: '140px' },
	CHARGE_COLUMN,
	{
		header: 'Margin',
		cell: ({ margin }) => <SignedMoney rupees={margin} />,
		align: 'right',
		width: '140px',
	},
]

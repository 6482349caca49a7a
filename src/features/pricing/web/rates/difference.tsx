import { ScrollArea, Stack } from '@mantine/core'
import type { RateChange, RateDifference } from '#features/pricing/rate-contract.ts'
import { plural } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataRows } from '#lib/web/ui/table/data-rows.tsx'
import { CATEGORY_NAMES, dayOf, formatRate } from './rate-text.ts'

/** Shows the rates that differ between a rate card and the newest card, and the rates that the card lacks. */
export function Difference({ difference }: { difference: RateDifference }) {
	const { changes, comparedWith, currency, unknown, unknownMarkets } = difference
	return (
		<Stack gap={12}>
			<p role="status">
				{summaryOf(difference)}{' '}
				{comparedWith
					? `Compared with the ${currency} rates from ${dayOf(comparedWith)}${comparedWith.fileName === null ? ' (built in)' : ''}.`
					: `These are the first rates in ${currency}.`}
			</p>
			{unknown.length > 0 && (
				<Notice tone="warn" title={`${plural(unknown.length, 'rate')} unknown`}>
					The file has n/a for {namesOf(unknown.map(({ name, category }) => `${name} (${CATEGORY_NAMES[category]})`))}.
				</Notice>
			)}
			{unknownMarkets.length > 0 && (
				<Notice tone="warn" title="Unknown markets">
					This release does not know {namesOf(unknownMarkets)}, and leaves their rates out. Their recipients count in
					the market that they belonged to so far: install a newer release.
				</Notice>
			)}
			{changes.length > 0 && (
				<ScrollArea.Autosize mah={240} type="auto" offsetScrollbars>
					<DataRows
						label="Changed rates"
						rows={withJoinedCategories(changes)}
						rowKey={({ market, categories }) => `${market} ${categories.join(' ')}`}
						columns={columnsFor(currency)}
					/>
				</ScrollArea.Autosize>
			)}
		</Stack>
	)
}

function summaryOf({ changes, unchanged }: RateDifference): string {
	const added = changes.filter(({ before }) => before === null).length
	const lost = changes.filter(({ after }) => after === null).length
	const changed = changes.length - added - lost
	const parts = [
		changed > 0 && `${plural(changed, 'rate')} ${changed === 1 ? 'changes' : 'change'}`,
		added > 0 && `${plural(added, 'rate')} ${added === 1 ? 'is' : 'are'} new`,
		lost > 0 && `${plural(lost, 'rate')} ${lost === 1 ? 'becomes' : 'become'} unknown`,
		unchanged > 0 && `${plural(unchanged, 'rate')} ${unchanged === 1 ? 'stays' : 'stay'} the same`,
	]
	return `${parts.filter(Boolean).join(', ')}.`
}

const MAX_NAMES = 10

function namesOf(names: readonly string[]): string {
	const more = names.length - MAX_NAMES
	return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ')
}

interface JoinedChange extends Omit<RateChange, 'category'> {
	categories: RateChange['category'][]
}

/** Joins the changes of a market that are the same in several categories, as utility and service usually are. */
function withJoinedCategories(changes: readonly RateChange[]): JoinedChange[] {
	const joined = new Map<string, JoinedChange>()
	for (const { category, ...change } of changes) {
		const key = JSON.stringify([change.market, change.before, change.after])
		const same = joined.get(key)
		if (same) same.categories.push(category)
		else joined.set(key, { ...change, categories: [category] })
	}
	return [...joined.values()]
}

function columnsFor(currency: string): Column<JoinedChange>[] {
	const rate = (value: number | null, none: string) =>
		value === null ? (
			<span className="quiet">{none}</span>
		) : (
			<span className="figures">{formatRate(value, currency)}</span>
		)
	return [
		{ header: 'Market', cell: ({ name }) => name, narrow: 'title', minWidth: 140 },
		{
			header: 'Category',
			cell: ({ categories }) => categories.map((category) => CATEGORY_NAMES[category]).join(', '),
			isProse: true,
			minWidth: 150,
			narrow: 'under',
		},
		{ header: 'Now', cell: ({ before }) => rate(before, 'Unknown'), align: 'right', width: '110px', minWidth: 100 },
		{ header: 'New', cell: ({ after }) => rate(after, 'Unknown'), align: 'right', width: '110px', minWidth: 100 },
		{
			header: 'Change',
			cell: ({ before, percent }) => (percent === null ? (before === null ? 'New' : '-') : signed(percent)),
			align: 'right',
			width: '90px',
			minWidth: 80,
			narrow: 'corner',
		},
	]
}

/** Formats 2.5 as +2.5%, and a change too small for one decimal in words. */
function signed(percent: number): string {
	if (percent === 0) return 'under 0.1%'
	return `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`
}

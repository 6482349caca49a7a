import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { pricing, type PresentPricesFields } from '../contract.ts'

type MarketRow = PresentPricesFields['markets'][number]
type MarketPrice = MarketRow['marketing']

/** Shows what a message costs the account that is signed in, in India and in other countries. */
export function OwnPrices() {
	const reading = useQuery(query(pricing.mineByMarket))
	const prices = reading.data
	if (!prices) return <MissingPart message="Your prices could not be loaded." readings={[reading]} />
	return (
		<div className="stack">
			<Card title="In India">
				<Facts
					ruled
					of={{
						Marketing: formatRupees(prices.marketingPrice),
						Utility: formatRupees(prices.utilityPrice),
						Authentication: formatRupees(prices.authenticationPrice),
						'Reply in a chat': prices.servicePrice === 0 ? 'Free' : formatRupees(prices.servicePrice),
					}}
				/>
				{prices.passesOnFree && (
					<Box component="p" className="quiet" mt={12}>
						WhatsApp does not charge some templates, such as those to people who came from an ad. Their price is
						refunded to your wallet.
					</Box>
				)}
			</Card>
			<Card title="Other countries" flush={prices.markets.length > 0}>
				{prices.markets.length === 0 ? (
					<p>Messages to other countries cost the same.</p>
				) : (
					<DataTable
						label="Prices in other countries"
						query={reading}
						rows={prices.markets}
						rowKey={({ market }) => market}
						columns={COLUMNS}
						empty={null}
						failed="Failed to fetch your prices"
					/>
				)}
			</Card>
		</div>
	)
}

const REFUSALS = { blocked: 'Blocked', no_rate: 'No price yet' }

function Price({ of: { price, refusal } }: { of: MarketPrice }) {
	return refusal ? <span className="secondary">{REFUSALS[refusal]}</span> : <Money rupees={price ?? 0} />
}

const COLUMNS: Column<MarketRow>[] = [
	{ header: 'Country', cell: ({ name }) => name },
	{ header: 'Marketing', cell: ({ marketing }) => <Price of={marketing} />, align: 'right' },
	{ header: 'Utility', cell: ({ utility }) => <Price of={utility} />, align: 'right' },
	{ header: 'Authentication', cell: ({ authentication }) => <Price of={authentication} />, align: 'right' },
	{ header: 'Reply', cell: ({ service }) => <Price of={service} />, align: 'right' },
]

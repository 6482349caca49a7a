import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { pricing, type PresentPricesFields } from '../contract.ts'

type MarketPrice = PresentPricesFields['markets'][number]['marketing']

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
			</Card>
			<Card title="Other countries" flush={prices.markets.length > 0}>
				{prices.markets.length === 0 ? (
					<p>Messages to other countries cost the same.</p>
				) : (
					<Table.ScrollContainer minWidth={420}>
						<Table aria-label="Prices in other countries">
							<Table.Thead>
								<Table.Tr>
									<Table.Th>Country</Table.Th>
									<Table.Th ta="right">Marketing</Table.Th>
									<Table.Th ta="right">Utility</Table.Th>
									<Table.Th ta="right">Authentication</Table.Th>
									<Table.Th ta="right">Reply</Table.Th>
								</Table.Tr>
							</Table.Thead>
							<Table.Tbody>
								{prices.markets.map(({ market, name, marketing, utility, authentication, service }) => (
									<Table.Tr key={market}>
										<Table.Td>{name}</Table.Td>
										<PriceCell price={marketing} />
										<PriceCell price={utility} />
										<PriceCell price={authentication} />
										<PriceCell price={service} />
									</Table.Tr>
								))}
							</Table.Tbody>
						</Table>
					</Table.ScrollContainer>
				)}
			</Card>
		</div>
	)
}

const REFUSALS = { blocked: 'Blocked', no_rate: 'No price yet' }

function PriceCell({ price: { price, refusal } }: { price: MarketPrice }) {
	return (
		<Table.Td ta="right" className="figures">
			{refusal ? <span className="secondary">{REFUSALS[refusal]}</span> : formatRupees(price ?? 0)}
		</Table.Td>
	)
}

import { Button } from '@mantine/core'
import { IconPencil, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { pricing, type PricedUser } from '../contract.ts'
import { pricingPaths } from '../paths.ts'
import { MorePricesDialog } from './more-prices-dialog.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { HomeRates, PriceWithWarning } from './rate-hint.tsx'

export function PricingManagement() {
	const shown = useListPage()
	const list = useQuery(paged(pricing.list, { query: shown.query }))
	const prices = useDraftDialog<PricedUser>('prices')
	const more = useDialogFor<PricedUser>()
	const [changed, setChanged] = useState<string | null>(null)
	return (
		<>
			<PageHeader
				title="Pricing Management"
				hint="What one message costs each user. Campaigns keep the price they were created with."
				actions={
					<>
						<Button component={Link} to={pricingPaths.margins} variant="default">
							Margins
						</Button>
						<Button component={Link} to={pricingPaths.rates} variant="default">
							WhatsApp’s Rates
						</Button>
					</>
				}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name or email"
				label="Users and prices"
				query={list}
				rows={list.data?.users}
				pages={list.data?.pages}
				rowKey={({ _id }) => _id}
				columns={columnsFor({ edit: prices.open, editMore: more.open })}
				highlight={changed}
				empty={<EmptyState title={shown.search ? 'No users match your search' : 'No users yet'} />}
				failed="Failed to fetch users and prices"
			>
				<HomeRates />
			</ListCard>
			<PriceDialog dialog={prices} onSaved={setChanged} />
			<MorePricesDialog dialog={more} onSaved={setChanged} />
		</>
	)
}

interface Editing {
	edit: (user: PricedUser) => void
	editMore: (user: PricedUser) => void
}

function columnsFor({ edit, editMore }: Editing): Column<PricedUser>[] {
	return [
		nameColumn,
		emailColumn,
		{
			header: 'Marketing Price',
			cell: ({ marketingPrice }) => <PriceWithWarning rupees={marketingPrice} category="marketing" />,
			align: 'right',
			width: '160px',
		},
		{
			header: 'Utility Price',
			cell: ({ utilityPrice }) => <PriceWithWarning rupees={utilityPrice} category="utility" />,
			align: 'right',
			width: '150px',
		},
		{
			header: 'Actions',
			cell: (user) => (
				<div className="row-actions">
					<RowButton
						word="Edit"
						label={`Edit the prices of ${user.name}`}
						icon={<IconPencil size={18} aria-hidden />}
						onClick={() => edit(user)}
					/>
					<RowButton
						word="Other countries"
						label={`Other countries and replies: prices of ${user.name}`}
						icon={<IconWorld size={18} aria-hidden />}
						onClick={() => editMore(user)}
					/>
				</div>
			),
			align: 'right',
			width: '1px',
			minWidth: 116,
			narrow: 'corner',
		},
	]
}

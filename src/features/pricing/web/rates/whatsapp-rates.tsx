import { Box, Button, Group, NativeSelect } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pricingPaths } from '#features/pricing/paths.ts'
import { rates, type RateList } from '#features/pricing/rate-contract.ts'
import { call, type ResponseOf } from '#lib/web/api.ts'
import { invalidate, paged } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor, type DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useFirst } from '#lib/web/ui/state/use-first.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { SearchBox } from '#lib/web/ui/table/filters/search-box.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { LoadDialog } from './load-dialog.tsx'
import { isFound } from './market-search.ts'
import { rateColumns } from './rate-columns.tsx'
import { dayOf } from './rate-text.ts'

/** Number of markets shown before "Show all". */
const FIRST = 10

/** Shows what WhatsApp charges by market and category, today and from later days, and loads new rate cards. */
export function WhatsappRates() {
	const [currency, setCurrency] = useSearchText('currency')
	const [search, setSearch] = useSearchText()
	const [cardId, setCardId] = useState('')
	const list = useQuery(paged(rates.list, { query: { currency } }))
	const loading = useDialogFor<true>()
	const removing = useDialogFor<RateList>()
	const cards = list.data ? [list.data.current, ...list.data.upcoming].filter((card) => card !== null) : []
	const card = cards.find(({ _id }) => _id === cardId) ?? cards[0]
	const found = (card?.markets ?? []).filter((market) => isFound(market, search))
	const { first, showAll } = useFirst(found, { count: FIRST, name: 'markets' })
	const shownCurrency = list.data?.currency ?? 'INR'
	return (
		<>
			<PageHeader
				title="WhatsApp’s Rates"
				hint="What WhatsApp charges for a delivered message, by the recipient’s country, before GST. WhatsApp adds 18% GST in India."
				back={<BackLink to={pricingPaths.management} name="Pricing Management" />}
				actions={
					<Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => loading.open(true)}>
						Load rate card
					</Button>
				}
			/>
			<Card flush>
				<div className="toolbar">
					<SearchBox value={search} onSearch={setSearch} placeholder="Search by country or number" />
					<CurrencyChoice list={list.data} onChoose={setCurrency} />
					{cards.length > 1 && (
						<FilterChips
							label="Rate card"
							value={card?._id ?? ''}
							options={cards.map((one) => ({ value: one._id, label: labelOf(one, list.data?.current ?? null) }))}
							onChange={setCardId}
						/>
					)}
				</div>
				{card && <Source card={card} isUpcoming={card !== list.data?.current} onRemove={() => removing.open(card)} />}
				<DataTable
					label="WhatsApp’s rates"
					query={list}
					rows={list.data && first}
					rowKey={({ market }) => market}
					columns={rateColumns(shownCurrency)}
					empty={
						<EmptyState
							title={search ? 'No market matches your search' : 'No rates are loaded'}
							hint={search && 'Countries without a market of their own belong to a region, or to Other.'}
						/>
					}
					failed="Failed to fetch WhatsApp’s rates"
					footer={
						showAll && (
							<Box className="ruled" py={8} px="var(--app-gutter)">
								{showAll}
							</Box>
						)
					}
				/>
			</Card>
			<LoadDialog dialog={loading} />
			<RemoveDialog dialog={removing} />
		</>
	)
}

function labelOf(card: RateList, current: RateList | null): string {
	return card === current ? `Since ${dayOf(card)}` : `From ${dayOf(card)}`
}

interface CurrencyChoiceProps {
	list: ResponseOf<typeof rates.list> | undefined
	onChoose: (currency: string) => void
}

function CurrencyChoice({ list, onChoose }: CurrencyChoiceProps) {
	if (!list || list.currencies.length < 2) return null
	return (
		<NativeSelect
			aria-label="Currency"
			data={list.currencies}
			value={list.currency}
			onChange={({ currentTarget }) => onChoose(currentTarget.value)}
		/>
	)
}

interface SourceProps {
	card: RateList
	isUpcoming: boolean
	onRemove: () => void
}

/** Shows the day and source of a card, and how to read its marks. An upcoming card can be removed. */
function Source({ card, isUpcoming, onRemove }: SourceProps) {
	const hasComputed = card.markets.some(({ rates: byCategory }) =>
		Object.values(byCategory).some((rate) => rate?.isComputed),
	)
	return (
		<Group className="toolbar quiet" gap="4px 16px" justify="space-between">
			<span>
				{isUpcoming ? 'Valid from' : 'Valid since'} {dayOf(card)}.{' '}
				{card.fileName === null ? (
					'Built in. Some rates are missing or computed: load WhatsApp’s rate card to replace them.'
				) : (
					<>
						From the file <UserText text={card.fileName} />, loaded
						{card.loadedBy !== null && (
							<>
								{' '}
								by <UserText text={card.loadedBy} />
							</>
						)}{' '}
						on <DateTime iso={card.createdAt} as="day" />.
					</>
				)}
				{hasComputed && ' ~ is computed from WhatsApp’s rates in US dollars.'} India and the countries your accounts
				send to come first.
			</span>
			{isUpcoming && (
				<Button variant="default" onClick={onRemove}>
					Remove these rates
				</Button>
			)}
		</Group>
	)
}

function RemoveDialog({ dialog }: { dialog: DialogFor<RateList> }) {
	const { subject: card, close } = dialog
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Remove these rates?"
			confirm="Remove"
			busyText="Removing..."
			danger
			failed={(error) => toast.failure(error, 'Failed to remove the rates')}
			onConfirm={async () => {
				if (!card) return
				const { message } = await call(rates.remove, { params: { cardId: card._id } })
				await invalidate(rates.list, rates.summary)
				toast.success(message)
				close()
			}}
		>
			The rates in {card?.currency} from {card && dayOf(card)} are deleted. The rates before them stay valid until you
			load others.
		</ConfirmDialog>
	)
}

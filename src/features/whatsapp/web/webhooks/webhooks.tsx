import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { whatsapp, type WebhookAccount } from '#features/whatsapp/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ExpandButton } from '#lib/web/ui/table/expand-button.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { useOpenRows, type OpenRows } from '#lib/web/ui/table/use-open-rows.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { delayText, MAX_COUNTED, toneOfDelay } from './delay.ts'

/** Milliseconds between refreshes; there are no live events for the webhooks of all accounts. */
const REFRESH_MS = 15_000

/** Renders the page of every account's webhooks: what arrived, the backlog, and the dead letters. */
export function Webhooks() {
	const shown = useListPage()
	const { open, toggle } = useOpenRows()
	const list = useQuery({
		...paged(whatsapp.webhooks, { query: shown.query }),
		refetchInterval: REFRESH_MS,
	})
	return (
		<>
			<PageHeader
				title="Webhooks"
				hint="Updates that WhatsApp sends about each account’s messages. Accounts with problems come first."
				back={<BackLink to={dashboardPaths.admin} name="Dashboard" />}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name or email"
				label="Webhooks by account"
				query={list}
				rows={list.data?.accounts}
				pages={list.data?.pages}
				rowKey={({ userId }) => userId}
				columns={columnsFor({ open, toggle })}
				expanded={keptOf(open)}
				empty={
					<EmptyState title={shown.search ? 'No users match your search' : 'No user has WhatsApp credentials yet'} />
				}
				failed="Failed to fetch webhooks"
			/>
		</>
	)
}

const keptOf = (open: ReadonlySet<string>) => (account: WebhookAccount) =>
	open.has(account.userId) ? <DeadLetters account={account} /> : null

function columnsFor({ open, toggle }: OpenRows): Column<WebhookAccount>[] {
	return [
		{
			header: 'User',
			cell: ({ name, email }) => (
				<Stacked under={<TwoLines text={email} />}>
					<b>
						<TwoLines text={name} />
					</b>
				</Stacked>
			),
			narrow: 'title',
		},
		{
			header: 'Number',
			cell: ({ displayPhoneNumber }) => <span className="figures">{displayPhoneNumber ?? '-'}</span>,
			width: '150px',
			minWidth: 150,
		},
		{
			header: 'Last delivery',
			cell: ({ lastDeliveryAt }) => (lastDeliveryAt ? <DateTime iso={lastDeliveryAt} as="relative" /> : 'None yet'),
			width: '120px',
		},
		{
			header: 'Processed',
			cell: ({ processed }) => <span className="figures">{formatCount(processed)}</span>,
			align: 'right',
			width: '104px',
		},
		{
			header: 'Unknown numbers',
			cell: ({ dropped }) => someOf(dropped),
			align: 'right',
			width: '104px',
		},
		{
			header: 'Ignored',
			cell: ({ ignored }) => someOf(ignored),
			align: 'right',
			width: '84px',
		},
		{
			header: 'Delay',
			cell: (account) => <ToneBadge tone={toneOfDelay(account)} label={delayText(account)} />,
			width: '150px',
		},
		{
			header: 'Not processed',
			cell: (account) => notProcessed(account, { open, toggle }),
			align: 'right',
			width: '110px',
		},
	]
}

/** Returns a count; the sign of an empty cell, which the card of a phone leaves out, for zero. */
function someOf(count: number): ReactNode {
	return count > 0 ? <span className="figures">{formatCount(count)}</span> : '-'
}

function notProcessed({ userId, name, kept }: WebhookAccount, { open, toggle }: OpenRows): ReactNode {
	if (kept === 0 && !open.has(userId)) return '-'
	return (
		<Group component="span" display="inline-flex" gap={10} justify="flex-end" wrap="nowrap">
			<span className="figures">{kept >= MAX_COUNTED ? `${formatCount(MAX_COUNTED)}+` : formatCount(kept)}</span>
			<ExpandButton
				expanded={open.has(userId)}
				label={`Webhooks not processed of ${name}`}
				onClick={() => toggle(userId)}
			/>
		</Group>
	)
}

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { plural } from '#lib/numbers.ts'
import { displayNumber, ERASED_PREFIX } from '#lib/phone/phone.ts'
import { isolate } from '#lib/text/bidi.ts'
import type { ResponseOf } from '#lib/web/api.ts'
import { invalidate, mutation, paged } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { PhoneToCopy } from '#lib/web/ui/value/phone-to-copy.tsx'
import { OPT_OUT_REASONS } from '../contact-columns.tsx'
import { AddOptOuts, OPT_OUTS_DRAFT } from './add-opt-outs.tsx'

type OptedOut = ResponseOf<typeof contacts.optedOut>['optedOut'][number]

/** Renders the page of numbers that are opted out of marketing, contacts or not, with date and reason. */
export function OptOuts() {
	const shown = useListPage()
	const adding = useDraftDialog<never>(OPT_OUTS_DRAFT)
	const list = useQuery(paged(contacts.optedOut, { query: shown.query }))
	return (
		<>
			<PageHeader
				title="Opt-outs"
				hint={
					list.data
						? `${plural(list.data.total, 'number')} opted out of marketing. They still get order updates and other utility messages.`
						: 'Counting numbers...'
				}
				back={<BackLink to={contactPaths.list} name="Manage Contacts" />}
				actions={
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => adding.open(null)}>
						Add numbers
					</Button>
				}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name or number"
				label="Opt-outs"
				query={list}
				rows={list.data?.optedOut}
				pages={list.data?.pages}
				rowKey={({ number }) => number}
				columns={columns}
				empty={
					<EmptyState
						title={shown.search ? 'No numbers match your search' : 'Nobody has opted out'}
						hint={shown.search ? undefined : 'People who reply STOP or opt out in WhatsApp appear here.'}
					/>
				}
				failed="Failed to fetch opt-outs"
				toasts={briefToast}
				hideSingle
			/>
			<AddOptOuts dialog={adding} />
		</>
	)
}

const columns: Column<OptedOut>[] = [
	{
		header: 'Name',
		cell: ({ name }) => (
			<b>
				<TwoLines text={name ?? 'Not in contacts'} />
			</b>
		),
		narrow: 'title',
	},
	{
		header: 'Number',
		cell: ({ number }) => <PhoneToCopy number={number} />,
		width: '190px',
		minWidth: 190,
		narrow: 'under',
	},
	{ header: 'Since', cell: ({ since }) => <DateTime iso={since} />, width: '200px' },
	{ header: 'Why', cell: ({ because }) => sentence(OPT_OUT_REASONS[because]), width: '220px' },
	{
		header: '',
		cell: (row) => !row.number.startsWith(ERASED_PREFIX) && <OptIn row={row} />,
		align: 'right',
		width: '160px',
		minWidth: 150,
		narrow: 'actions',
	},
]

function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Renders the button that opts a number in by hand, for people who ask in another way than by START. */
function OptIn({ row: { number, name } }: { row: OptedOut }) {
	const change = useMutation({
		...mutation(contacts.setOptOuts),
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			await invalidate(contacts.optedOut, contacts.list, contacts.latest, contacts.optOuts)
		},
		onError: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	return (
		<Button
			variant="default"
			size="compact-md"
			aria-label={`Opt in again: ${name === null ? displayNumber(number) : isolate(name)}`}
			disabled={change.isPending}
			onClick={() => change.mutate({ body: { numbers: [number], optedOut: false } })}
		>
			Opt in again
		</Button>
	)
}

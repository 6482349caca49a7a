import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { contactPaths } from '#features/contacts/paths.ts'
import { paged } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { SearchBox } from '#lib/web/ui/table/filters/search-box.tsx'
import { useListPage } from '#lib/web/ui/table/list-card.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { privacy, type PrivacyRequest } from '../contract.ts'
import { FoundPerson } from './found-person.tsx'
import { wordsFor } from './held-words.ts'

/** Renders the page to find the data of one person by number, and to download or erase it. The log appears with the first request. */
export function Privacy() {
	const { page, setPage, search, setSearch } = useListPage()
	const requests = useQuery(paged(privacy.requests, { query: { page } }))
	const hasRequests = requests.error !== null || (requests.data?.requests.length ?? 0) > 0
	return (
		<>
			<PageHeader
				title="Data and privacy"
				hint="A customer may ask what data you have about them, or ask you to delete it. Find them by phone number."
				back={<BackLink to={contactPaths.list} name="Manage Contacts" />}
			/>
			<Stack gap={16}>
				<Card>
					<SearchBox value={search} onSearch={setSearch} placeholder="Customer’s phone number" isMain />
					{search !== '' && <FoundPerson key={search} typed={search} />}
				</Card>
				{hasRequests && (
					<Card
						flush
						title="Request log"
						hint="What you downloaded and erased. A reference stands for the number, the same each time."
					>
						<DataTable
							label="Request log"
							query={requests}
							rows={requests.data?.requests}
							rowKey={({ _id: id }) => id}
							columns={columns}
							empty={<EmptyState title="Nothing on this page" />}
							failed="Failed to fetch requests"
							toasts={briefToast}
							footer={<Pager page={page} pages={requests.data?.pages} onTurn={setPage} hideSingle />}
						/>
					</Card>
				)}
			</Stack>
		</>
	)
}

const KINDS = { download: 'Data downloaded', erasure: 'Person erased' }
/** Returns the first eight letters of a hash, enough to tell people apart. */
const reference = (hash: string) => hash.split(':').at(-1)?.slice(0, 8)

const columns: Column<PrivacyRequest>[] = [
	{ header: 'Request', cell: ({ kind }) => <b>{KINDS[kind]}</b>, narrow: 'title' },
	{ header: 'Reference', cell: ({ hash }) => <code>{reference(hash)}</code> },
	{ header: 'Data found', cell: ({ counts }) => <TwoLines text={wordsFor(counts) || 'Nothing'} /> },
	{ header: 'By', cell: ({ user }) => <TwoLines text={user} /> },
	{ header: 'On', cell: ({ requestedAt }) => <DateTime iso={requestedAt} /> },
]

import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#lib/fields.ts'
import { Card } from '../layout/card.tsx'
import { usePage } from '../state/use-page.ts'
import { useSearchText } from '../state/use-search-text.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { SearchBox } from './filters/search-box.tsx'
import { Pager } from './pager.tsx'

/** Returns the page and search text of a list, stored in the URL; `query` is the matching server query. */
export function useListPage() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	return { page, setPage, search, setSearch, query: { page, limit: PAGE_SIZE, search } }
}

interface ListCardProps<Row> extends Omit<DataTableProps<Row>, 'footer'> {
	shown: ReturnType<typeof useListPage>
	/** Number of pages; undefined before the first answer, when no pager is shown. */
	pages: number | undefined
	/** True when the server stopped counting at `pages`. */
	isAtLeast?: boolean | undefined
	/** True to hide the pager for a single page. */
	hideSingle?: boolean | undefined
	/** Placeholder of the search, such as "Search by name". */
	searchFor: string
	/** Controls next to the search. */
	filters?: ReactNode
	title?: string | undefined
	hint?: string | undefined
	actions?: ReactNode
	/** Content between search and table. */
	children?: ReactNode
}

/** Renders the main list of a screen on a card, with search and pages. */
export function ListCard<Row>(props: ListCardProps<Row>) {
	const { shown, pages, isAtLeast, hideSingle, searchFor, filters, title, hint, actions, children, ...table } = props
	return (
		<Card flush title={title} hint={hint} actions={actions}>
			<div className="toolbar">
				<SearchBox value={shown.search} onSearch={shown.setSearch} placeholder={searchFor} />
				{filters}
			</div>
			{children}
			<DataTable
				{...table}
				footer={
					<Pager page={shown.page} pages={pages} isAtLeast={isAtLeast} onTurn={shown.setPage} hideSingle={hideSingle} />
				}
			/>
		</Card>
	)
}

import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#lib/fields.ts'
import { Card } from '../layout/card.tsx'
import { usePage } from '../state/use-page.ts'
import { useSearchText } from '../state/use-search-text.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { Pager } from './pager.tsx'
import { SearchBox } from './search-box.tsx'

/** Which page of a list is shown and what is searched in it, kept in the address; `query` asks the server for that. */
export function useListPage() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	return { page, setPage, search, setSearch, query: { page, limit: PAGE_SIZE, search } }
}

interface ListCardProps<Row> extends Omit<DataTableProps<Row>, 'footer'> {
	shown: ReturnType<typeof useListPage>
	/** Unknown until the first answer; without it there is no pager. */
	pages: number | undefined
	/** The server has not counted to the end: there are `pages`, or more. */
	isAtLeast?: boolean | undefined
	/** No pager while everything fits on one page. */
	hideSingle?: boolean | undefined
	/** The search's placeholder: "Search by name". */
	searchFor: string
	/** Beside the search. */
	filters?: ReactNode
	title?: string | undefined
	actions?: ReactNode
	/** Between the search and the table. */
	children?: ReactNode
}

/** The list that a screen is about: searched, paged, on a surface of its own. */
export function ListCard<Row>(props: ListCardProps<Row>) {
	const { shown, pages, isAtLeast, hideSingle, searchFor, filters, title, actions, children, ...table } = props
	return (
		<Card flush title={title} actions={actions}>
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

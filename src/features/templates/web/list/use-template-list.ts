import { useQuery } from '@tanstack/react-query'
import { TEMPLATE_SORTS, templates } from '#features/templates/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { useSort } from '#lib/web/ui/table/use-sort.ts'

export const STATUSES = [
	{ value: '', label: 'All' },
	{ value: 'APPROVED', label: 'Approved' },
	{ value: 'PENDING', label: 'Pending' },
	{ value: 'REJECTED', label: 'Rejected' },
	{ value: 'PAUSED', label: 'Paused' },
	{ value: 'DISABLED', label: 'Disabled' },
] as const

/** One page of the templates that the address asks for, and what changes the address. */
export function useTemplateList() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	const [status, setStatus] = useSearchText('status')
	const [category, setCategory] = useSearchText('category')
	const [language, setLanguage] = useSearchText('language')
	const { sort, order, tableSort } = useSort(TEMPLATE_SORTS, { sort: 'createdAt', order: 'desc' })
	const filters = { search, status, category, language }
	const list = useQuery(paged(templates.list, { query: { page, limit: PAGE_SIZE, ...filters, sort, order } }))
	return {
		list,
		filters,
		tableSort,
		isFiltered: Object.values(filters).some(Boolean),
		page,
		setPage,
		setSearch,
		setStatus,
		setCategory,
		setLanguage,
	}
}

import { useQuery } from '@tanstack/react-query'
import { templates } from '#features/templates/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'

export const STATUSES = [
	{ value: '', label: 'All' },
	{ value: 'APPROVED', label: 'Approved' },
	{ value: 'PENDING', label: 'Pending' },
	{ value: 'REJECTED', label: 'Rejected' },
] as const

/** The server pages by name only. With a status it gives everything, which is a few hundred at most, and pages are cut here. */
export function useTemplateList({ page, search, status }: { page: number; search: string; status: string }) {
	const list = useQuery(
		paged(templates.list, { query: status ? { search, limit: 1000 } : { page, limit: PAGE_SIZE, search } }),
	)
	const { data } = list
	if (!data || !status) return { list, rows: data?.templates, pages: data?.pages }
	const fitting = data.templates.filter((template) => template.status === status)
	const first = (page - 1) * PAGE_SIZE
	return {
		list,
		rows: fitting.slice(first, first + PAGE_SIZE),
		pages: Math.max(1, Math.ceil(fitting.length / PAGE_SIZE)),
	}
}

import { useDebouncedValue } from '@mantine/hooks'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { paged, query, queryClient } from '#lib/web/query.ts'

/** Number of options that people look through without long scrolling. A search narrows them down. */
const MAX_OPTIONS = 30
const SEARCH_DELAY_MS = 250

export const chosenQuery = (id: string) => query(templates.get, { params: { id } })

export function isSendable({ status, isGone }: TemplateRow): boolean {
	return status === 'APPROVED' && !isGone
}

/** Returns the template with this id, if it can be sent. */
export function useChosenTemplate(id: string): TemplateRow | undefined {
	const { data } = useQuery({ ...chosenQuery(id), enabled: id !== '' })
	return data && isSendable(data) ? data : undefined
}

/** Stores a template of the list, so that it is not requested again. */
export function rememberTemplate(template: TemplateRow): void {
	queryClient.setQueryData(chosenQuery(template._id).queryKey, template)
}

export const countQuery = query(templates.list, { query: { status: 'APPROVED', limit: 1 } })

/** Returns the number of templates that can be sent; undefined until known, null when the call failed. */
export function useTemplateCount(): number | null | undefined {
	const { data, isError } = useQuery(countQuery)
	return isError && !data ? null : data?.total
}

const approvedQuery = (search: string) =>
	paged(templates.list, { query: { search, status: 'APPROVED', limit: MAX_OPTIONS } })

/** Fetches the first templates early. Uses the answer that the page requested before its scripts. */
export const usePrefetchedTemplates = () => usePrefetchQuery(approvedQuery(''))

/** Returns the first templates whose name contains `search`, templates that can be sent before other templates. */
export function useTemplateOptions(search: string) {
	const [term] = useDebouncedValue(search.trim(), SEARCH_DELAY_MS)
	const approved = useQuery(approvedQuery(term))
	const hasRoom = (approved.data?.total ?? MAX_OPTIONS) < MAX_OPTIONS
	const all = useQuery({ ...paged(templates.list, { query: { search: term, limit: MAX_OPTIONS } }), enabled: hasRoom })
	// Compares ids, not statuses, because a template that is approved between the two answers is in both.
	const known = new Set(approved.data?.templates.map(({ _id }) => _id))
	const others = hasRoom ? (all.data?.templates.filter(({ _id }) => !known.has(_id)) ?? []) : []
	return {
		/** Undefined until the first answer. */
		options: approved.data && [...approved.data.templates, ...others].slice(0, MAX_OPTIONS),
		isMore: (approved.data?.total ?? 0) > MAX_OPTIONS,
		/** True while the options belong to an earlier search. */
		isStale: term !== search.trim() || approved.isPlaceholderData,
		hasFailed: approved.isError && !approved.data,
		readings: [approved, all],
	}
}

import { queryOptions } from '@tanstack/react-query'
import { segments, type SegmentRules } from '#features/audiences/segment-contract.ts'
import { call } from '#lib/web/api.ts'

/**
 * Returns the query for the number of contacts that rules choose. The query is cancelled when the count is no longer
 * shown.
 */
export function countOf({ match, rules }: SegmentRules) {
	const body = { match, rules: [...rules] }
	return queryOptions({
		queryKey: [segments.count.path, body],
		queryFn: ({ signal }) => call(segments.count, { body, signal }),
		retry: false,
	})
}

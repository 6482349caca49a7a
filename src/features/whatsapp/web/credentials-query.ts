import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { whatsapp, type Credentials } from '../contract.ts'

/**
 * A user's credentials, or null when there are none yet. Nothing is kept after the dialog closes, and nothing is fetched
 * anew while it is open, as somebody who comes back from Meta's page with a token must find the form as they left it.
 */
export function credentialsOf(userId: string) {
	const { queryKey } = query(whatsapp.credentials, { params: { userId } })
	return queryOptions({
		queryKey: [...queryKey, 'or none'],
		queryFn: ({ signal }) => call(whatsapp.credentials, { params: { userId }, signal }).catch(noneWhenMissing),
		gcTime: 0,
		staleTime: Infinity,
		refetchOnWindowFocus: false,
		refetchOnReconnect: false,
	})
}

function noneWhenMissing(error: unknown): Credentials | null {
	if (error instanceof ApiError && error.status === 404) return null
	throw error
}

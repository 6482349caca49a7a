import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { whatsapp, type Credentials } from '../contract.ts'

/**
 * Returns the query of a user's credentials, whose data is null when there are none. Not cached after closing and never
 * refetched while open, so that a person returning from Meta's page finds the form unchanged.
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

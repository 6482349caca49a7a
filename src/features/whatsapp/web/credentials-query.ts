import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '#lib/web/api.ts'
import { FORM_VALUES, query } from '#lib/web/query.ts'
import { whatsapp, type Credentials } from '../contract.ts'

/** Returns the query of a user's credentials for their form. Its data is null when there are none. */
export function credentialsOf(userId: string) {
	const { queryKey } = query(whatsapp.credentials, { params: { userId } })
	return queryOptions({
		queryKey: [...queryKey, 'or none'],
		queryFn: ({ signal }) => call(whatsapp.credentials, { params: { userId }, signal }).catch(noneWhenMissing),
		...FORM_VALUES,
	})
}

function noneWhenMissing(error: unknown): Credentials | null {
	if (error instanceof ApiError && error.status === 404) return null
	throw error
}

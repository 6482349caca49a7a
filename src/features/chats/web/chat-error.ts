import { useEffect } from 'react'
import { ApiError, messageOf } from '#lib/web/api.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { isNewFailure } from '#lib/web/ui/feedback/use-error-toast.ts'

/**
 * Returns the text for a failed call: `unreachable` without a response, a request to sign in for a 401, otherwise the
 * server's message, or `refused` without one.
 */
export function chatError(error: unknown, refused: string, unreachable: string): string {
	if (!(error instanceof ApiError) || error.status === 0) return unreachable
	return error.status === 401 ? 'Please login to continue' : messageOf(error, refused)
}

/** Returns the text for a failed fetch. */
export function fetchError(error: unknown, what: 'contacts' | 'messages'): string {
	return chatError(error, `Failed to fetch ${what}`, `Error fetching ${what}`)
}

/** Returns the text for a failed query, and shows the text once as a toast; null without a failure. */
export function useFetchError(error: unknown, what: 'contacts' | 'messages'): string | null {
	const words = error ? fetchError(error, what) : null
	useEffect(() => {
		if (words && isNewFailure(error)) chatToast.error(words)
	}, [words, error])
	return words
}

import { useEffect } from 'react'
import { ApiError } from '#lib/web/api.ts'
import { isConnected } from '#lib/web/connection.ts'
import { toast, type Toasts } from '#lib/web/toast.tsx'

/** Milliseconds within which queries that fail with the same status show one toast. */
const SAME_CAUSE_MS = 2000
let shown = { atMs: Number.NEGATIVE_INFINITY, status: -1 }

/**
 * Shows a toast when a query fails: the server's message or `fallback`. Shows none while the server is unreachable,
 * since the banner under the header covers all queries.
 */
export function useErrorToast(error: unknown, fallback: string, toasts: Toasts = toast): void {
	useEffect(() => {
		if (error && isNewFailure(error)) toasts.failure(error, fallback)
	}, [error, fallback, toasts])
}

/**
 * Returns true when a failed query needs a toast, and remembers the failure: neither the connection banner nor a toast
 * of the same server error within SAME_CAUSE_MS covers it.
 */
export function isNewFailure(error: unknown): boolean {
	const status = error instanceof ApiError ? error.status : -1
	if (status === 0 && !isConnected()) return false
	const atMs = performance.now()
	const isSame = status === shown.status && (status === 0 || status >= 500) && atMs - shown.atMs < SAME_CAUSE_MS
	if (!isSame) shown = { atMs, status }
	return !isSame
}

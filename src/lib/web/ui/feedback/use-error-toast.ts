import { useEffect } from 'react'
import { ApiError } from '#lib/web/api.ts'
import { isConnected } from '#lib/web/connection.ts'
import { toast, type Toasts } from '#lib/web/toast.tsx'

/** Readings that fail together fail for one reason, and one toast says so. */
const SAME_CAUSE_MS = 2000
let shown = { atMs: Number.NEGATIVE_INFINITY, status: -1 }

/**
 * Says once, when a reading fails, what failed: the server's words or else `fallback`. Nothing while the server is not
 * reached, which the banner under the header says for all of them.
 */
export function useErrorToast(error: unknown, fallback: string, toasts: Toasts = toast): void {
	useEffect(() => {
		if (error && isNewFailure(error)) toasts.failure(error, fallback)
	}, [error, fallback, toasts])
}

/** Whether a failed reading is worth a toast: the banner does not say it, nor has another toast just done so. */
export function isNewFailure(error: unknown): boolean {
	const status = error instanceof ApiError ? error.status : -1
	if (status === 0 && !isConnected()) return false
	const atMs = performance.now()
	const isSame = status === shown.status && (status === 0 || status >= 500) && atMs - shown.atMs < SAME_CAUSE_MS
	if (!isSame) shown = { atMs, status }
	return !isSame
}

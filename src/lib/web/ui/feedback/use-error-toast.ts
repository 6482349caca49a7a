import { useEffect } from 'react'
import { toast, type Toasts } from '#lib/web/toast.tsx'

/** Says once, when a reading fails, what failed: the server's words or else `fallback`. */
export function useErrorToast(error: unknown, fallback: string, toasts: Toasts = toast): void {
	useEffect(() => {
		if (error) toasts.failure(error, fallback)
	}, [error, fallback, toasts])
}

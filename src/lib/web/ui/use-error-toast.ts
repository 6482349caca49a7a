import { useEffect } from 'react'
import { toast } from '../toast.tsx'

/** Says once, when a reading fails, what failed: the server's words or else `fallback`. */
export function useErrorToast(error: unknown, fallback: string): void {
	useEffect(() => {
		if (error) toast.failure(error, fallback)
	}, [error, fallback])
}

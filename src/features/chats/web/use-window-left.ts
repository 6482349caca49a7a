import { useEffect, useState } from 'react'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { windowLeft } from './window-time.ts'

/** The current `windowLeft`, updated every minute and at the moment the window closes. */
export function useWindowLeft(expiresAt: string | null): string | null {
	const now = useNow(expiresAt !== null)
	const [endedFor, setEndedFor] = useState<string | null>(null)
	useEffect(() => {
		if (!expiresAt) return
		const timer = setTimeout(() => setEndedFor(expiresAt), Math.max(0, Date.parse(expiresAt) - Date.now()))
		return () => clearTimeout(timer)
	}, [expiresAt])
	return endedFor === expiresAt ? null : windowLeft(expiresAt, now)
}

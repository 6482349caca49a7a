import { useEffect, useState } from 'react'
import { MINUTE_MS } from '#lib/durations.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'

/**
 * Returns the time left of the 24 hours in which free text may be sent, such as "3h 12m left"; null if they are over or never
 * began.
 */
export function windowLeft(expiresAt: string | null, now: number): string | null {
	if (!expiresAt) return null
	const leftMs = Date.parse(expiresAt) - now
	if (leftMs <= 0) return null
	const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS))
	const hours = Math.floor(minutes / 60)
	return hours > 0 ? `${hours}h ${minutes % 60}m left` : `${minutes}m left`
}

/** Returns the current `windowLeft`, or null, updated every minute and when the window closes. */
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

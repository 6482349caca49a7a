import { formatCount } from '#lib/numbers.ts'

/** Maximum count that the server returns. */
export const MAX_COUNTED = 1000

/** Delay in seconds from which customers notice. */
const WARN_SECONDS = 10
const ERROR_SECONDS = 60

interface Backlog {
	waiting: number
	lagSeconds: number
}

/** Returns "None", or a text such as "12 waiting, 3 min". */
export function delayText({ waiting, lagSeconds }: Backlog): string {
	if (waiting === 0) return 'None'
	const long = lagSeconds < 60 ? `${lagSeconds} s` : `${formatCount(Math.floor(lagSeconds / 60))} min`
	return `${formatCount(waiting)} waiting, ${long}`
}

export function toneOfDelay({ waiting, lagSeconds }: Backlog): 'ok' | 'warn' | 'error' {
	if (waiting === 0 || lagSeconds < WARN_SECONDS) return 'ok'
	return lagSeconds < ERROR_SECONDS ? 'warn' : 'error'
}

import type { ReactNode } from 'react'
import { atMost, countCharacters, shortened } from '#lib/text/characters.ts'

/** Longest part of an over-long entry that its message quotes, in characters. */
const MAX_QUOTED = 20

interface LimitedProps {
	value?: unknown
	error?: ReactNode
}

/**
 * Returns the props of an input with an error while its text, or an entry of its list, has more than `max` code points.
 * Replaces the attribute `maxLength`, which counts UTF-16 units and cuts pasted text without notice.
 */
export function limited<P extends LimitedProps>(max: number, props: P): P & { error: ReactNode } {
	return { ...props, error: lengthError(max, props.value) ?? props.error }
}

/** Returns the message for a text or list of texts with more than `max` code points; null when everything fits. */
export function lengthError(max: number, value: unknown): string | null {
	if (Array.isArray(value)) {
		const long = (value as string[]).find((entry) => isOver(max, entry))
		return long === undefined ? null : `${atMost(max)}: ${shortened(long, MAX_QUOTED)}`
	}
	return isOver(max, value) ? `${atMost(max)}, this text has ${countCharacters(String(value))}` : null
}

function isOver(max: number, value: unknown): boolean {
	return typeof value === 'string' && countCharacters(value.trim()) > max
}

/** Embeddings and overrides: they turn round whatever follows until somebody ends them, letters of any script included. */
const OVERRIDES = /[\u202a-\u202e]/g
const ISOLATES = /[\u2066-\u2069]/g

/** Letters that are written from right to left: Hebrew, Arabic and their kin, and marks that say so. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** A text without the invisible signs that show it in another order than it is stored. */
export function withoutOverrides(text: string): string {
	return text.replace(OVERRIDES, '')
}

/**
 * Somebody's name for a place that takes plain text alone, such as a window's title, a toast or a label: kept apart from
 * the words around it where it is written from right to left, and unchanged otherwise. On screen take `UserText` instead.
 */
export function isolate(text: string): string {
	const plain = withoutOverrides(text).replace(ISOLATES, '')
	return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

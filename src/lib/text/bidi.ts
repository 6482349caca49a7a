/** Embeddings and overrides: they reorder all following text of any script until closed. */
const OVERRIDES = /[\u202a-\u202e]/g
const ISOLATES = /[\u2066-\u2069]/g

/** Letters of Hebrew, Arabic and other right-to-left scripts, and right-to-left marks. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Removes the invisible characters that display a text in another order than stored. */
export function withoutOverrides(text: string): string {
	return text.replace(OVERRIDES, '')
}

/**
 * Prepares a user's text for plain strings such as a title, toast or label: wraps right-to-left text in isolates, so
 * that it does not reorder its surroundings. In JSX use `UserText` instead.
 */
export function isolate(text: string): string {
	const plain = withoutOverrides(text).replace(ISOLATES, '')
	return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

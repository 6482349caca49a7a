/** Embeddings and overrides: they reverse all text that follows, of any script, until they are closed. */
const OVERRIDES = /[\u202a-\u202e]/g
const ISOLATES = /[\u2066-\u2069]/g

/** Letters of Hebrew, Arabic and other right-to-left scripts, and right-to-left marks. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** The text without the invisible characters that would display it in another order than it is stored. */
export function withoutOverrides(text: string): string {
	return text.replace(OVERRIDES, '')
}

/**
 * A user's text for plain strings, such as a window's title, a toast or a label: wrapped in isolates when it is written from
 * right to left, so that it does not reorder the words around it. In JSX use `UserText` instead.
 */
export function isolate(text: string): string {
	const plain = withoutOverrides(text).replace(ISOLATES, '')
	return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

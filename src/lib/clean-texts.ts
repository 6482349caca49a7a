/** Levels of lists and objects within one another; Meta's webhooks use ten. */
const MAX_DEPTH = 32

/** Returns a received value with each text and name of a property as `cleanText` makes it. Levels below the 32nd become null. */
export function cleanTexts(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return cleanText(value)
	if (typeof value !== 'object' || value === null) return value
	if (depth > MAX_DEPTH) return null
	if (Array.isArray(value)) return value.map((item) => cleanTexts(item, depth + 1))
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanTexts(item, depth + 1)]))
}

/**
 * Returns a text that PostgreSQL can store, of the same length: a space for each NUL character, and U+FFFD for half a surrogate
 * pair. Both come along when text is pasted, or cut in the middle of a character.
 */
export function cleanText(text: string): string {
	return text.toWellFormed().replaceAll('\0', ' ')
}

/** Maximum nesting of lists and objects; Meta's webhooks use ten levels. */
const MAX_DEPTH = 32

/** Applies `cleanText` to each text and property name of a value. Levels below MAX_DEPTH become null. */
export function cleanTexts(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return cleanText(value)
	if (typeof value !== 'object' || value === null) return value
	if (depth > MAX_DEPTH) return null
	if (Array.isArray(value)) return value.map((item) => cleanTexts(item, depth + 1))
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanTexts(item, depth + 1)]))
}

/**
 * Makes a text storable in PostgreSQL without changing its length: NUL becomes a space, half a surrogate pair becomes
 * U+FFFD. Pasted or truncated text contains both.
 */
export function cleanText(text: string): string {
	return text.toWellFormed().replaceAll('\0', ' ')
}

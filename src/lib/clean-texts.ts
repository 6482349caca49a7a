/** How deep lists and objects may be nested; the product's own calls use four levels. */
const MAX_DEPTH = 32

/**
 * A received value whose texts PostgreSQL can store: with spaces for NUL characters, and U+FFFD for half surrogate pairs.
 * Nobody types either; they come along when text is pasted or cut in the middle of a character. Names of properties are
 * cleaned, too. What lies deeper than any call of ours is left out.
 */
export function cleanTexts(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return cleanText(value)
	if (typeof value !== 'object' || value === null) return value
	if (depth > MAX_DEPTH) return null
	if (Array.isArray(value)) return value.map((item) => cleanTexts(item, depth + 1))
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanTexts(item, depth + 1)]))
}

function cleanText(text: string): string {
	return text.toWellFormed().replaceAll('\0', ' ')
}

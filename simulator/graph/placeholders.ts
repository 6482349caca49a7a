const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const MAX_CACHED_TEXTS = 1_000
const cache = new Map<string, readonly string[]>()

/** Returns the distinct names of the variables in a text, in order of first occurrence. */
export function variablesIn(text: string): readonly string[] {
	// All messages of a campaign have the same template, so the cache answers nearly every call.
	const known = cache.get(text)
	if (known) return known
	const names = [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]?.trim() ?? ''))]
	if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
	cache.set(text, names)
	return names
}

export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
	return text.replace(PLACEHOLDER, (whole, name: string) => values.get(name.trim()) ?? whole)
}

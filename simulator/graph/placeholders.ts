const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Names of the variables in a text, each once, in the order in which they first stand there. */
export function variablesIn(text: string): string[] {
	return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))]
}

export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
	return text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole)
}

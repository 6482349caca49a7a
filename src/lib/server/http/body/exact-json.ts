/** Parses JSON and preserves long integers, which JavaScript would round: template ids have 17 digits. */
export function parseExactly(text: string): unknown {
	const hasLongNumber = /[:,[]\s*-?\d{16}/.test(text)
	if (!hasLongNumber) return JSON.parse(text)
	const keep = (_key: string, value: unknown, context: { source?: string }) =>
		typeof value === 'number' && !Number.isSafeInteger(value) && context.source !== undefined
			? exactJson.rawJSON(context.source)
			: value
	return exactJson.parse(text, keep)
}

/** Types for JSON functions that TypeScript does not describe yet. */
const exactJson = JSON as unknown as {
	parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
	rawJSON(source: string): unknown
}

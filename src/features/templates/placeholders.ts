/** Placeholder such as {{1}} or {{first_name}}. Spaces inside the braces are accepted and not sent to Meta. */
const PLACEHOLDER = /\{\{\s*([a-z0-9_]+)\s*\}\}/g

/**
 * Returns the distinct variables of a text: numbers sorted, names in order of first use. "{{2}} {{1}}" returns 1, 2.
 */
export function variablesIn(text: string): string[] {
	const found = [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))]
	return found.every(isNumber) ? found.toSorted((a, b) => Number(a) - Number(b)) : found
}

/** Returns the text with placeholders as Meta requires: {{ 1 }} becomes {{1}}. */
export function tidyVariables(text: string): string {
	return text.replace(PLACEHOLDER, '{{$1}}')
}

export function isNumber(variable: string): boolean {
	return /^\d+$/.test(variable)
}

/** Returns true when all variables are named, that is lower-case words. */
export function isNamed(variables: readonly string[]): boolean {
	return variables.length > 0 && variables.every((variable) => /^[a-z][a-z0-9_]*$/.test(variable))
}

/** Returns true when a text has braces that form no variable, such as {{Name}} or {{1}. */
export function hasStrayBraces(text: string): boolean {
	return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))
}

/** Replaces the variables of a text. A variable for which `valueOf` returns no value remains. */
export function fillVariables(text: string, valueOf: (variable: string) => string | undefined): string {
	return text.replace(PLACEHOLDER, (whole, variable: string) => valueOf(variable) || whole)
}

/** Splits a text at its variables. Each piece has plain text or a variable. */
export function splitVariables(text: string): { text: string; variable?: string }[] {
	const pieces: { text: string; variable?: string }[] = []
	let end = 0
	for (const match of text.matchAll(PLACEHOLDER)) {
		pieces.push({ text: text.slice(end, match.index) }, { text: '', variable: match[1] ?? '' })
		end = match.index + match[0].length
	}
	return [...pieces, { text: text.slice(end) }]
}

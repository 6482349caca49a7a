/** {{1}} or {{first_name}}; spaces inside the braces are understood and not sent to Meta. */
const PLACEHOLDER = /\{\{\s*([a-z0-9_]+)\s*\}\}/g

/** The variables of a text, each once: numbers in their order, names as they first occur. "{{2}} {{1}}" gives 1, 2. */
export function variablesIn(text: string): string[] {
	const found = [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))]
	return found.every(isNumber) ? found.toSorted((a, b) => Number(a) - Number(b)) : found
}

/** The text as Meta wants it: {{ 1 }} is {{1}}. */
export function tidyVariables(text: string): string {
	return text.replace(PLACEHOLDER, '{{$1}}')
}

export function isNumber(variable: string): boolean {
	return /^\d+$/.test(variable)
}

/** Named variables are lower-case words, which none of the positional ones is. */
export function isNamed(variables: readonly string[]): boolean {
	return variables.length > 0 && variables.every((variable) => /^[a-z][a-z0-9_]*$/.test(variable))
}

/** Whether a text has braces that form no variable, such as {{Name}} or {{1}. */
export function hasStrayBraces(text: string): boolean {
	return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))
}

/** The text with its variables replaced; `valueOf` gives a variable's value, and what it has none for stays. */
export function fillVariables(text: string, valueOf: (variable: string) => string | undefined): string {
	return text.replace(PLACEHOLDER, (whole, variable: string) => valueOf(variable) || whole)
}

/** Splits a text at its variables: each piece is the plain text, or the variable that stands there. */
export function splitVariables(text: string): { text: string; variable?: string }[] {
	const pieces: { text: string; variable?: string }[] = []
	let end = 0
	for (const match of text.matchAll(PLACEHOLDER)) {
		pieces.push({ text: text.slice(end, match.index) }, { text: '', variable: match[1] ?? '' })
		end = match.index + match[0].length
	}
	return [...pieces, { text: text.slice(end) }]
}

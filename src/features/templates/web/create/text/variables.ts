import { fillVariables, isNumber, variablesIn } from '#features/templates/placeholders.ts'

/** Text with the examples of its variables, in the order of `variablesIn`. */
export interface VariableText {
	text: string
	examples: readonly string[]
}

/** Text of the field after an edit, and the position of the caret. */
interface Typed {
	text: string
	caret: number
}

interface Selection {
	from: number
	to: number
}

type Edited = VariableText & { caret: number }

const NUMBERED = /\{\{\s*(\d+)\s*\}\}/g
const VARIABLE = /\{\{\s*[a-z0-9_]+\s*\}\}/g

/** Applies an edit. A variable that was partly deleted is removed completely, and the others are renumbered. */
export function editText(before: VariableText, typed: Typed): Edited {
	const { text, caret } = withoutBrokenVariable(before.text, typed)
	return renumbered(before, { text, caret })
}

/** Replaces the selection with the next variable. */
export function insertVariable(before: VariableText, { from, to }: Selection): Edited {
	const next = Math.max(0, ...variablesIn(before.text).filter(isNumber).map(Number)) + 1
	const token = `{{${next}}}`
	const text = before.text.slice(0, from) + token + before.text.slice(to)
	return renumbered(before, { text, caret: from + token.length })
}

/** Returns the text with each variable replaced by its example, if it has one. */
export function withExamples({ text, examples }: VariableText): string {
	const variables = variablesIn(text)
	return fillVariables(text, (variable) => examples[variables.indexOf(variable)]?.trim())
}

/** Puts `mark` around the selection, or removes it. An empty selection remains between the two marks. */
export function toggleMark(text: string, { from, to }: Selection, mark: string): { text: string } & Selection {
	const isEnclosed = text.slice(from - mark.length, from) === mark && text.slice(to, to + mark.length) === mark
	if (isEnclosed && from >= mark.length)
		return {
			text: text.slice(0, from - mark.length) + text.slice(from, to) + text.slice(to + mark.length),
			from: from - mark.length,
			to: to - mark.length,
		}
	return {
		text: text.slice(0, from) + mark + text.slice(from, to) + mark + text.slice(to),
		from: from + mark.length,
		to: to + mark.length,
	}
}

/** Numbers the variables 1, 2, 3, … and moves the examples along; named variables remain. */
function renumbered(before: VariableText, { text, caret }: Typed): Edited {
	const oldKeys = variablesIn(text).filter(isNumber)
	const newKey = (old: string) => String(oldKeys.indexOf(old) + 1)
	const oldKey = (key: string) => (isNumber(key) ? (oldKeys[Number(key) - 1] ?? key) : key)
	let moved = 0
	const written = text.replace(NUMBERED, (token, number: string, at: number) => {
		if (newKey(number) === number) return token
		const replacement = `{{${newKey(number)}}}`
		if (at + token.length <= caret) moved += replacement.length - token.length
		return replacement
	})
	const known = variablesIn(before.text)
	const exampleOf = (key: string) => before.examples[known.indexOf(oldKey(key))] ?? ''
	return { text: written, examples: variablesIn(written).map(exampleOf), caret: caret + moved }
}

/** Removes a whole variable when a deletion has removed part of it. */
function withoutBrokenVariable(before: string, typed: Typed): Typed {
	// After a deletion, the caret is where the deleted text was.
	const [start, end] = [typed.caret, typed.caret + before.length - typed.text.length]
	const isDeletion = end > start && before.slice(0, start) + before.slice(end) === typed.text
	if (!isDeletion || tokensOf(typed.text).length === tokensOf(before).length) return typed
	const broken = tokensOf(before).filter((token) => token.start < end && token.end > start)
	const from = Math.min(start, ...broken.map((token) => token.start))
	const to = Math.max(end, ...broken.map((token) => token.end))
	return { text: before.slice(0, from) + before.slice(to), caret: from }
}

function tokensOf(text: string): { start: number; end: number }[] {
	return Array.from(text.matchAll(VARIABLE), ({ index, 0: token }) => ({ start: index, end: index + token.length }))
}

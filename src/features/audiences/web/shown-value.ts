import { tagLabel } from '#features/audiences/values.ts'
import { fallbackOf, mergeTags, parseValue, withFallback } from '#features/templates/values.ts'

const TOKEN = /‹([^‹›]*)›/g

/** Returns the label of each tag. A tag whose label is the name of another one keeps its own name. */
function labelsOf(tags: readonly string[]): Map<string, string> {
	return new Map(tags.map((tag) => [tag, tags.includes(tagLabel(tag)) ? tag : tagLabel(tag)]))
}

/** Returns the value as the form shows it: "Hi {{firstName|friend}}" as "Hi ‹First name›". Fallbacks have their own input. */
export function shownValue(value: string, fields: readonly string[]): string {
	const labels = labelsOf([...new Set([...fields, ...mergeTags({ value })])])
	return parseValue(value)
		.map((piece) => ('text' in piece ? piece.text : `‹${labels.get(piece.tag)}›`))
		.join('')
}

/**
 * Returns the value for an edited `shownValue(before)`. A name that the edit cuts is removed whole, and names keep their
 * fallbacks.
 */
export function editedValue(before: string, typed: string, fields: readonly string[]): string {
	const tags = [...new Set([...fields, ...mergeTags({ before })])]
	const byLabel = new Map(Array.from(labelsOf(tags), ([tag, label]) => [label, tag]))
	const value = withoutCutNames(shownValue(before, fields), typed).replace(TOKEN, (whole, label: string) => {
		const tag = byLabel.get(label)
		return tag === undefined ? whole : `{{${tag}}}`
	})
	return mergeTags({ before }).reduce((edited, tag) => {
		const fallback = fallbackOf(before, tag)
		return fallback && !fallbackOf(edited, tag) ? withFallback(edited, tag, fallback) : edited
	}, value)
}

/** Returns the typed text without the names that the edit has cut. */
function withoutCutNames(shown: string, typed: string): string {
	const [start, end] = changeOf(shown, typed)
	const inserted = typed.slice(start, typed.length - (shown.length - end))
	let [from, to] = [start, end]
	for (const { index, 0: token } of shown.matchAll(TOKEN)) {
		const after = index + token.length
		if (start >= after || end <= index) continue
		// Text typed inside a name goes behind it.
		if (start === end) [from, to] = [after, after]
		else [from, to] = [Math.min(from, index), Math.max(to, after)]
	}
	return shown.slice(0, from) + inserted + shown.slice(to)
}

/** Returns start and end of the part of `before` that differs from `after`. */
function changeOf(before: string, after: string): [start: number, end: number] {
	const most = Math.min(before.length, after.length)
	let start = 0
	while (start < most && before[start] === after[start]) start++
	let same = 0
	while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
	return [start, before.length - same]
}

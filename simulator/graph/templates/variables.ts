import type { Template } from '#simulator/state/templates.ts'
import { isObject, type JsonObject } from '../json.ts'
import { refusal } from './refusal.ts'

interface NameRule {
	format: Template['parameter_format']
	reason: 'header' | 'body'
}

/** Throws unless positional variables run {{1}}, {{2}}, … and named variables are lower-case words. */
export function checkVariableNames(text: string, variables: readonly string[], { format, reason }: NameRule): void {
	const strays = text.replace(/\{\{[^{}]*\}\}/g, '')
	if (/\{\{|\}\}/.test(strays)) throw refusal(reason, 'A variable is not closed.')
	const fits = (name: string, index: number): boolean =>
		format === 'NAMED' ? /^[a-z][a-z0-9_]*$/.test(name) : name === String(index + 1)
	const ordered = format === 'NAMED' ? variables : variables.toSorted((a, b) => Number(a) - Number(b))
	if (!ordered.every(fits)) throw refusal(reason)
}

interface ExampleRule {
	format: Template['parameter_format']
	part: 'header' | 'body'
}

/**
 * Throws unless every variable has an example: a nested list for the body, a list for the header, name and value pairs for
 * named variables.
 */
export function checkExamples(example: JsonObject, variables: readonly string[], { format, part }: ExampleRule): void {
	const key = format === 'NAMED' ? `${part}_text_named_params` : `${part}_text`
	const missing = refusal(
		'components',
		`component of type ${part.toUpperCase()} is missing expected field(s) (example)`,
	)
	const given = example[key]
	if (!Array.isArray(given)) throw missing
	if (format === 'NAMED') {
		const named = new Set(
			given
				.filter(isObject)
				.filter(hasExample)
				.map((pair) => pair['param_name']),
		)
		if (!variables.every((name) => named.has(name))) throw missing
		return
	}
	const values: unknown = part === 'body' ? given[0] : given
	if (!Array.isArray(values) || values.length !== variables.length) throw missing
	if (!values.every((value) => typeof value === 'string' && value !== '')) throw missing
}

function hasExample(pair: JsonObject): boolean {
	return typeof pair['example'] === 'string' && pair['example'] !== ''
}

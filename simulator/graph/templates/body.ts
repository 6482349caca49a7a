import { isObject, type JsonObject, stringOf } from '../json.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters } from '../text.ts'
import type { TemplateContext } from './components.ts'
import { refusal } from './refusal.ts'
import { checkExamples, checkVariableNames } from './variables.ts'

/** Validates a body of at most `max` characters: that of a template, or of a card. */
export function checkBodyText(body: JsonObject, { format }: Pick<TemplateContext, 'format'>, max: number): void {
	const text = stringOf(body['text'])?.trim()
	if (!text) throw refusal('body')
	if (countCharacters(text) > max) throw refusal('too-long', `The body may have ${max} characters.`)
	const variables = variablesIn(text)
	checkVariableNames(text, variables, { format, reason: 'body' })
	if (/^\{\{|\}\}$/.test(text)) throw refusal('edges')
	if (/\}\}\s*\{\{/.test(text)) throw refusal('body', 'Variables must not stand next to each other.')
	const words = text.split(/\s+/).length
	if (words < 2 * variables.length + 1) throw refusal('ratio')
	if (variables.length === 0) return
	const example = isObject(body['example']) ? body['example'] : {}
	checkExamples(example, variables, { format, part: 'body' })
}

import { isObject, type JsonObject, stringOf } from '../json.ts'
import { SAMPLE_TYPES } from '../media/media-types.ts'
import { mediaIdOfHandle } from '../media/uploads.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters, isPlainText } from '../text.ts'
import type { TemplateContext } from './components.ts'
import { refusal } from './refusal.ts'
import { checkExamples, checkVariableNames } from './variables.ts'

export function checkHeader(header: JsonObject, context: TemplateContext): void {
	const format = String(header['format'])
	if (format === 'LOCATION') return
	if (format === 'TEXT') return checkText(header, context)
	const types = SAMPLE_TYPES[format]
	if (!types) throw refusal('components', 'component of type HEADER is missing expected field(s) (format)')
	const example = header['example']
	const handles = isObject(example) ? example['header_handle'] : undefined
	const handle: unknown = Array.isArray(handles) ? handles[0] : undefined
	if (typeof handle !== 'string') {
		throw refusal('components', 'component of type HEADER is missing expected field(s) (example)')
	}
	const id = mediaIdOfHandle(handle)
	const sample = id === null ? undefined : context.state.media.find(id)
	if (!sample || !types.includes(sample.mime_type)) throw refusal('sample')
}

function checkText(header: JsonObject, { format }: TemplateContext): void {
	const text = stringOf(header['text'])
	if (!text || !isPlainText(text.replace(/\{\{[^{}]*\}\}/g, ''))) throw refusal('header')
	if (countCharacters(text) > 60) throw refusal('too-long', 'The header may have 60 characters.')
	const variables = variablesIn(text)
	if (variables.length > 1) throw refusal('header')
	checkVariableNames(text, variables, { format, reason: 'header' })
	if (variables.length === 0) return
	checkExamples(isObject(header['example']) ? header['example'] : {}, variables, { format, part: 'header' })
}

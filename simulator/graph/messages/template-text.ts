import type { Template } from '#simulator/state/templates.ts'
import { GraphError } from '../errors.ts'
import { type JsonObject, shown } from '../json.ts'
import { fillIn, variablesIn } from '../placeholders.ts'
import { countCharacters } from '../text.ts'
import type { Part } from './template-part.ts'

const FORBIDDEN = /[\n\r\t]| {5,}/
const FORBIDDEN_DETAILS = 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces'

export interface TextRule {
	/** The template's text with its variables. */
	text: string
	/** `header` or `body`, for the details of a refusal. */
	where: string
	/** Maximum number of characters after the parameters are filled in. */
	maxLength: number
	format: Template['parameter_format']
}

/** Validates the parameters of a text and the length of the text with the parameters filled in. */
export function checkTextPart(part: Part | null, rule: TextRule): void {
	const { text, where, maxLength, format } = rule
	const variables = variablesIn(text)
	const parameters = part?.parameters ?? []
	if (parameters.length !== variables.length) {
		throw new GraphError(132000, {
			details:
				`${where}: number of localizable_params (${parameters.length}) does not match ` +
				`the expected number of params (${variables.length})`,
		})
	}
	const values = new Map<string, string>()
	for (const [index, parameter] of parameters.entries()) {
		const name = format === 'NAMED' ? nameOf(parameter, rule, variables) : (variables[index] ?? '')
		values.set(name, valueOf(parameter, `${where}: params[${index}]`))
	}
	if (values.size < variables.length) throw mismatch(`${where}: a parameter_name is given more than once`)
	if (values.size > 0 && mayExceed(rule, values) && countCharacters(fillIn(text, values)) > maxLength) {
		throw new GraphError(132005, {
			details: `${where}: text is longer than ${maxLength} characters after the parameters are filled in`,
		})
	}
}

// Compares an upper bound of the length with the maximum, so that short texts (nearly all) are not filled in.
function mayExceed({ text, maxLength }: TextRule, values: ReadonlyMap<string, string>): boolean {
	const places = text.split('{{').length
	let length = text.length
	for (const value of values.values()) length += value.length * places
	return length > maxLength
}

function nameOf(parameter: JsonObject, { where }: TextRule, variables: readonly string[]): string {
	const name = parameter['parameter_name']
	if (typeof name !== 'string' || name === '') throw mismatch(`${where}: Parameter name is missing or empty`)
	if (!variables.includes(name)) throw mismatch(`${where}: the template has no parameter ${name}`)
	return name
}

function valueOf(parameter: JsonObject, where: string): string {
	const type = shown(parameter['type']).toLowerCase()
	if (type === 'currency' || type === 'date_time') return '0'.repeat(10)
	if (type !== 'text') throw mismatch(`${where} is of type ${type}, expected text`)
	return textParameter(parameter['text'], where)
}

/** Returns a valid text value. Meta refuses empty values, line breaks, tabs and more than four consecutive spaces. */
export function textParameter(value: unknown, where: string): string {
	if (typeof value !== 'string') throw mismatch(`${where} has no text`)
	if (value.trim() === '') throw new GraphError(132018, { details: `${where} must not be empty` })
	if (FORBIDDEN.test(value)) throw new GraphError(132018, { details: FORBIDDEN_DETAILS })
	return value
}

export function mismatch(details: string): GraphError {
	return new GraphError(132012, { details })
}

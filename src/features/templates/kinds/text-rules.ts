import { registeredType } from '#lib/files/media-types.ts'
import { countCharacters } from '#lib/text/characters.ts'
import { EXAMPLE_MISSING, type TemplateProblem } from '../button-rules.ts'
import { HEADER_FILE_LIMITS, headerTooLarge, maxHeaderBytes, type MediaHeader } from '../limits.ts'
import { hasStrayBraces, isNamed, isNumber, variablesIn } from '../placeholders.ts'

export const BRACES = 'A variable is written {{1}}: two braces, its number, two braces'
export const MIXED_VARIABLES = 'Use either numbered variables or named ones, not both'

/** Returns the reason why WhatsApp refuses the trimmed, non-empty text of a body; false when it accepts it. */
export function bodyProblem(body: string): string | false {
	if (hasStrayBraces(body)) return BRACES
	const variables = variablesIn(body)
	if (variables.some(isNumber) && !variables.every(isNumber)) return MIXED_VARIABLES
	if (/^\{\{|\}\}$/.test(body)) return 'The body cannot start or end with a variable'
	if (/\}\}\s*\{\{/.test(body)) return 'Two variables cannot stand next to each other: put a word between them'
	return !isNamed(variables) && numbersProblem(variables)
}

/** Returns a problem when positional variables are not numbered {{1}}, {{2}} and so on. */
export function numbersProblem(variables: readonly string[]): string | false {
	const isSequence = variables.every((variable, index) => variable === String(index + 1))
	return !isSequence && 'Variables must be numbered {{1}}, {{2}} and so on, without gaps'
}

/** Returns a problem for each variable of a body without an example, at `body_examples.0` and so on. */
export function bodyExampleProblems(body: string, examples: readonly string[]): TemplateProblem[] {
	return variablesIn(body).flatMap((_, index) =>
		when(`body_examples.${index}`, (examples[index] ?? '').trim() === '' && EXAMPLE_MISSING),
	)
}

/** Returns the reason why a file cannot be a header of this kind; false when it can. */
export function headerFileProblem(header: MediaHeader, file: { size: number; type: string }): string | false {
	const { types, typesText } = HEADER_FILE_LIMITS[header]
	if (file.size > maxHeaderBytes(header)) return headerTooLarge(header)
	if (file.size === 0) return 'This file is empty'
	if (header === 'VIDEO' && file.type === 'video/3gpp') {
		return 'WhatsApp takes header videos as MP4 with H.264 and AAC only. Please convert this 3GP video to MP4.'
	}
	return !types.includes(registeredType(file.type)) && `This file is not ${typesText}`
}

/** Returns a problem when a text has more than `max` code points. */
export function tooLong(what: string, text: string, max: number): string | false {
	return countCharacters(text) > max && `${what} can have at most ${max} characters`
}

/** Returns the problem as a list of one, or an empty list when there is no message. */
export function when(field: string, message: string | false): TemplateProblem[] {
	return message === false ? [] : [{ field, message }]
}

import { registeredType } from '#lib/files/media-types.ts'
import { countCharacters } from '#lib/text/characters.ts'
import { buttonProblems, buttonTextProblem, EXAMPLE_MISSING, type TemplateProblem } from './button-rules.ts'
import type { CreateTemplateBody } from './contract.ts'
import { isTemplateLanguage } from './languages.ts'
import {
	BYTES_PER_MEGABYTE,
	HEADER_FILE_LIMITS,
	isMediaHeader,
	MAX_BODY_LENGTH,
	MAX_EXPIRATION_MINUTES,
	MAX_FOOTER_LENGTH,
	MAX_HEADER_LENGTH,
	MAX_NAME_LENGTH,
	MIN_EXPIRATION_MINUTES,
	TTL_OF_30_DAYS,
	TTL_RANGES,
	type MediaHeader,
} from './limits.ts'
import { hasStrayBraces, isNamed, isNumber, variablesIn } from './placeholders.ts'
import { plainTextFault } from './plain-text.ts'

/** Values of the form as sent. For AUTHENTICATION, texts, header and buttons are empty. */
export interface TemplateDraft extends Omit<CreateTemplateBody, 'requestId'> {
	/** New file of the header; null without one. A browser's `File` fits; the server detects the type by content. */
	headerFile?: { size: number; type: string } | null | undefined
}

const REQUIRED = 'Template name and body text are required'

/**
 * Returns the reasons why a template cannot be created, for form and server. The reasons are in the specification's
 * order, because the first one becomes the response's `message`; Meta's rules follow the specification's rule for the
 * same field.
 */
export function templateProblems(draft: TemplateDraft): TemplateProblem[] {
	const isPreset = draft.category === 'AUTHENTICATION'
	const language = draft.language.trim()
	return [
		...nameProblems(draft.name.trim()),
		...(isPreset ? presetProblems(draft) : textProblems(draft)),
		...when('category', draft.category === '' && 'Please select a category'),
		...when('language', language === '' && 'Language is required'),
		...when('language', language !== '' && !isTemplateLanguage(language) && 'Please select a language from the list'),
		...headerFileProblems(draft),
		...when('message_send_ttl_seconds', ttlProblem(draft)),
		...(isPreset ? [] : buttonProblems(draft.buttons)),
	]
}

function nameProblems(name: string): TemplateProblem[] {
	return [
		...when(
			'name',
			!/^[a-z0-9_]*$/.test(name) && 'Template name can only contain lowercase letters, numbers, and underscores',
		),
		...when(
			'name',
			countCharacters(name) > MAX_NAME_LENGTH && `Template name can have at most ${MAX_NAME_LENGTH} characters`,
		),
		...when('name', name === '' && REQUIRED),
	]
}

function textProblems(draft: TemplateDraft): TemplateProblem[] {
	const body = draft.body_text.trim()
	const header = draft.header_type === 'TEXT' ? (draft.header_text ?? '').trim() : ''
	const footer = (draft.footer_text ?? '').trim()
	return [
		...when('body_text', body === '' && REQUIRED),
		...when('header_text', draft.header_type === 'TEXT' && header === '' && 'Header text is required'),
		...when('header_text', tooLong('Header text', header, MAX_HEADER_LENGTH)),
		...when('header_text', header !== '' && headerProblem(header, body)),
		...when('body_text', tooLong('Body text', body, MAX_BODY_LENGTH)),
		...when('body_text', body !== '' && bodyProblem(body)),
		...when('footer_text', tooLong('Footer text', footer, MAX_FOOTER_LENGTH)),
		...when('footer_text', footerProblem(footer)),
		...exampleProblems(draft, { header, body }),
	]
}

function footerProblem(footer: string): string | false {
	if (/\{\{|\}\}/.test(footer)) return 'The footer cannot hold variables'
	return plainTextFault('The footer', footer)
}

function headerProblem(header: string, body: string): string | false {
	const fault = plainTextFault('The header', header.replace(/\{\{[^{}]*\}\}/g, ''))
	if (fault) return fault
	const variables = variablesIn(header)
	if (variables.length > 1) return 'The header can hold one variable at most'
	if (hasStrayBraces(header)) return BRACES
	const inBody = variablesIn(body)
	if (inBody.length > 0 && variables.length > 0 && isNamed(variables) !== isNamed(inBody)) return MIXED
	return !isNamed(variables) && numbersProblem(variables)
}

const BRACES = 'A variable is written {{1}}: two braces, its number, two braces'
const MIXED = 'Use either numbered variables or named ones, not both'

function bodyProblem(body: string): string | false {
	if (hasStrayBraces(body)) return BRACES
	const variables = variablesIn(body)
	if (variables.some(isNumber) && !variables.every(isNumber)) return MIXED
	if (/^\{\{|\}\}$/.test(body)) return 'The body cannot start or end with a variable'
	if (/\}\}\s*\{\{/.test(body)) return 'Two variables cannot stand next to each other: put a word between them'
	return !isNamed(variables) && numbersProblem(variables)
}

function numbersProblem(variables: readonly string[]): string | false {
	const isSequence = variables.every((variable, index) => variable === String(index + 1))
	return !isSequence && 'Variables must be numbered {{1}}, {{2}} and so on, without gaps'
}

function exampleProblems(draft: TemplateDraft, { header, body }: { header: string; body: string }): TemplateProblem[] {
	const hasHeaderVariable = variablesIn(header).length > 0
	return [
		...when('header_example', hasHeaderVariable && (draft.header_example ?? '').trim() === '' && EXAMPLE_MISSING),
		...variablesIn(body).flatMap((_, index) =>
			when(`body_examples.${index}`, (draft.body_examples[index] ?? '').trim() === '' && EXAMPLE_MISSING),
		),
	]
}

function headerFileProblems({ category, header_type, header_from, headerFile }: TemplateDraft): TemplateProblem[] {
	if (category === 'AUTHENTICATION' || !isMediaHeader(header_type)) return []
	if (headerFile) return when('header_file', headerFileProblem(header_type, headerFile))
	return when('header_file', !header_from && `Please upload a ${header_type.toLowerCase()} for the header`)
}

/** Returns the reason why a file cannot be a header of this kind; false when it can. */
export function headerFileProblem(header: MediaHeader, file: { size: number; type: string }): string | false {
	const { maxMegabytes, types, typesText } = HEADER_FILE_LIMITS[header]
	if (file.size > maxMegabytes * BYTES_PER_MEGABYTE) return `File size exceeds ${maxMegabytes}MB limit`
	if (file.size === 0) return 'This file is empty'
	if (header === 'VIDEO' && file.type === 'video/3gpp') {
		return 'WhatsApp takes header videos as MP4 with H.264 and AAC only. Please convert this 3GP video to MP4.'
	}
	return !types.includes(registeredType(file.type)) && `This file is not ${typesText}`
}

/** Returns the problems of an AUTHENTICATION template, whose text Meta presets and whose button copies the code. */
function presetProblems(draft: TemplateDraft): TemplateProblem[] {
	const preset = 'WhatsApp sets this part of an authentication template'
	const minutes = (draft.code_expiration_minutes ?? '').trim()
	const inRange = Number(minutes) >= MIN_EXPIRATION_MINUTES && Number(minutes) <= MAX_EXPIRATION_MINUTES
	return [
		...when('header_type', draft.header_type !== 'NONE' && preset),
		...when('body_text', draft.body_text.trim() !== '' && preset),
		...when('footer_text', (draft.footer_text ?? '').trim() !== '' && preset),
		...when('buttons', draft.buttons.length > 0 && preset),
		...when(
			'code_expiration_minutes',
			minutes !== '' &&
				!(/^\d+$/.test(minutes) && inRange) &&
				`A code can expire after ${MIN_EXPIRATION_MINUTES} to ${MAX_EXPIRATION_MINUTES} minutes`,
		),
		...when('otp_button_text', buttonTextProblem((draft.otp_button_text ?? '').trim())),
	]
}

/** Returns the time to live in seconds; null when the form leaves it to Meta. */
export function readTtl({ message_send_ttl_seconds = '' }: TemplateDraft): number | null {
	const text = message_send_ttl_seconds.trim()
	return text === '' ? null : Number(text)
}

function ttlProblem(draft: TemplateDraft): string | false {
	const seconds = readTtl(draft)
	const range = TTL_RANGES[draft.category]
	if (seconds === null || !range) return false
	const isForever = seconds === TTL_OF_30_DAYS && draft.category !== 'MARKETING'
	if (isForever || (Number.isInteger(seconds) && seconds >= range.min && seconds <= range.max)) return false
	return draft.category === 'MARKETING'
		? 'WhatsApp can try to deliver a marketing message for 12 hours to 30 days (43200 to 2592000 seconds)'
		: `WhatsApp can try to deliver this message for ${range.min} to ${range.max} seconds, or -1 for 30 days`
}

function tooLong(what: string, text: string, max: number): string | false {
	return countCharacters(text) > max && `${what} can have at most ${max} characters`
}

function when(field: string, message: string | false): TemplateProblem[] {
	return message === false ? [] : [{ field, message }]
}

import { countCharacters } from '#lib/text/characters.ts'
import { buttonProblems, buttonTextProblem, EXAMPLE_MISSING, type TemplateProblem } from './button-rules.ts'
import type { CreateTemplateBody, TemplateCard, TemplateKind } from './contract.ts'
import { kindProblems } from './kinds/kind-rules.ts'
import {
	bodyExampleProblems,
	bodyProblem,
	BRACES,
	headerFileProblem,
	MIXED_VARIABLES,
	numbersProblem,
	tooLong,
	when,
} from './kinds/text-rules.ts'
import { isTemplateLanguage } from './languages.ts'
import {
	isMediaHeader,
	MAX_BODY_LENGTH,
	MAX_EXPIRATION_MINUTES,
	MAX_FOOTER_LENGTH,
	MAX_HEADER_LENGTH,
	MAX_NAME_LENGTH,
	MAX_OFFER_BODY_LENGTH,
	MIN_EXPIRATION_MINUTES,
	TTL_OF_30_DAYS,
	TTL_RANGES,
} from './limits.ts'
import { hasStrayBraces, isNamed, variablesIn } from './placeholders.ts'
import { plainTextFault } from './plain-text.ts'

export { headerFileProblem } from './kinds/text-rules.ts'

/** Values of the form as sent. For AUTHENTICATION, texts, header and buttons are empty. */
export interface TemplateDraft extends Omit<CreateTemplateBody, 'requestId' | 'kind' | 'cards'> {
	/** STANDARD when left out. */
	kind?: TemplateKind
	/** Cards of CAROUSEL. */
	cards?: readonly CardDraft[]
	/** New file of the header; null without one. A browser's `File` fits; the server detects the type by content. */
	headerFile?: DraftFile | null | undefined
}

export interface DraftFile {
	size: number
	type: string
}

export interface CardDraft extends TemplateCard {
	/** New file of the card; null for a card with neither a new nor a reused one. */
	file?: DraftFile | null | undefined
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
	// WhatsApp has written the texts of its library, so that its rules for texts do not concern the user.
	const texts = draft.library_template_name ? libraryProblems : isPreset ? presetProblems : textProblems
	return [
		...nameProblems(draft.name.trim()),
		...texts(draft),
		...when('category', draft.category === '' && 'Please select a category'),
		...when('language', language === '' && 'Language is required'),
		...when('language', language !== '' && !isTemplateLanguage(language) && 'Please select a language from the list'),
		...headerFileProblems(draft),
		...when('message_send_ttl_seconds', ttlProblem(draft)),
		...(isPreset ? [] : buttonProblems(draft.buttons)),
		...kindProblems(draft),
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
	const maxBody = draft.kind === 'LIMITED_TIME_OFFER' ? MAX_OFFER_BODY_LENGTH : MAX_BODY_LENGTH
	return [
		...when('body_text', body === '' && REQUIRED),
		...when('header_text', draft.header_type === 'TEXT' && header === '' && 'Header text is required'),
		...when('header_text', tooLong('Header text', header, MAX_HEADER_LENGTH)),
		...when('header_text', header !== '' && headerProblem(header, body)),
		...when('body_text', tooLong('Body text', body, maxBody)),
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
	if (inBody.length > 0 && variables.length > 0 && isNamed(variables) !== isNamed(inBody)) return MIXED_VARIABLES
	return !isNamed(variables) && numbersProblem(variables)
}

function exampleProblems(draft: TemplateDraft, { header, body }: { header: string; body: string }): TemplateProblem[] {
	const hasHeaderVariable = variablesIn(header).length > 0
	return [
		...when('header_example', hasHeaderVariable && (draft.header_example ?? '').trim() === '' && EXAMPLE_MISSING),
		...bodyExampleProblems(body, draft.body_examples),
	]
}

function headerFileProblems({ category, header_type, header_from, headerFile }: TemplateDraft): TemplateProblem[] {
	if (category === 'AUTHENTICATION' || !isMediaHeader(header_type)) return []
	if (headerFile) return when('header_file', headerFileProblem(header_type, headerFile))
	return when('header_file', !header_from && `Please upload a ${header_type.toLowerCase()} for the header`)
}

function libraryProblems({ category, header_type, footer_text = '' }: TemplateDraft): TemplateProblem[] {
	return [
		...when('category', category !== 'UTILITY' && 'A text of WhatsApp’s library is always a UTILITY template'),
		...when('header_type', isMediaHeader(header_type) && 'A text of WhatsApp’s library has no file in its header'),
		...when('footer_text', footer_text.trim() !== '' && 'A text of WhatsApp’s library has no footer'),
	]
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

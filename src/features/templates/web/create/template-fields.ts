import * as z from 'zod/mini'
import { cardFileField, LibraryAddition, type TemplateButton, type TemplateKind } from '#features/templates/contract.ts'
import { isHttp } from '#features/templates/counted-link.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import type { CardDraft, TemplateDraft } from '#features/templates/rules.ts'

export const ButtonFields = z.object({
	/** React key, which stays the same while the button moves. */
	key: z.string(),
	type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'REQUEST_CONTACT_INFO']),
	text: z.string(),
	url: z.string(),
	url_example: z.string(),
	/** Missing in drafts of an earlier release. */
	count_clicks: z._default(z.boolean(), false),
	phone_number: z.string(),
	code_example: z.string(),
})
/** Button in the form. Every text is set; texts that the type does not use are empty. */
export type ButtonFields = z.output<typeof ButtonFields>

const CardFields = z.object({
	/** React key, which stays the same while the card moves. Its chosen file is held under this key. */
	key: z.string(),
	body_text: z.string(),
	body_examples: z.array(z.string()),
	buttons: z.array(ButtonFields),
	/** Position, from 1, of the original's card whose file is reused; 0 for none. */
	file_of_card: z.number(),
})
/** Card of a carousel in the form. */
export type CardFields = z.output<typeof CardFields>

const LibraryFields = z.object({
	name: z.string(),
	/** Type of each variable of the body, such as AMOUNT. */
	types: z.array(z.string()),
	additions: z.array(LibraryAddition),
})

export const TemplateFields = z.object({
	name: z.string(),
	category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
	language: z.string(),
	header_type: z.enum(['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']),
	header_text: z.string(),
	header_example: z.string(),
	/** Id of the template whose header file is reused; empty for none. */
	header_from: z.string(),
	body_text: z.string(),
	body_examples: z.array(z.string()),
	footer_text: z.string(),
	buttons: z.array(ButtonFields),
	code_expiration_minutes: z.string(),
	add_security_recommendation: z.boolean(),
	/** Seconds of a marketing message; empty for WhatsApp's 30 days. Missing in drafts of an earlier release. */
	message_send_ttl_seconds: z._default(z.string(), ''),
	otp_button_text: z.string(),
	/** Text of WhatsApp's library that the other fields describe; null for a text of the user's. Missing in earlier drafts. */
	library: z._default(z.nullable(LibraryFields), null),
	/** The kind that the user chose; see `kindOf`. Like the fields below, missing in drafts of an earlier release. */
	kind: z._default(z.enum(['STANDARD', 'CAROUSEL', 'LIMITED_TIME_OFFER']), 'STANDARD'),
	/** Header of every card. */
	card_header: z._default(z.enum(['IMAGE', 'VIDEO']), 'IMAGE'),
	cards: z._default(z.array(CardFields), []),
	offer_text: z._default(z.string(), ''),
})
/** Fields of the form, named as in the API. Files are held separately. */
export type TemplateFields = z.output<typeof TemplateFields>

/** Returns the name of the draft for a new template, or for a copy of template `from`. */
export function templateDraftName(from: string | null): string {
	return `template:${from ?? 'new'}`
}

/** Parses a stored draft; null when an older release stored it in another shape. */
export function readTemplateDraft(kept: unknown): TemplateFields | null {
	return z.safeParse(TemplateFields, kept).data ?? null
}

export const EMPTY_TEMPLATE: TemplateFields = {
	name: '',
	category: 'MARKETING',
	language: 'en',
	header_type: 'NONE',
	header_text: '',
	header_example: '',
	header_from: '',
	body_text: '',
	body_examples: [],
	footer_text: '',
	buttons: [],
	code_expiration_minutes: '10',
	add_security_recommendation: true,
	message_send_ttl_seconds: '',
	otp_button_text: 'Copy code',
	library: null,
	kind: 'STANDARD',
	card_header: 'IMAGE',
	cards: [],
	offer_text: '',
}

/** Files that the user has chosen: the header's under `HEADER_FILE`, a card's under its key. */
export type ChosenFiles = ReadonlyMap<string, File>
export const HEADER_FILE = 'header'
const NO_FILES: ChosenFiles = new Map()

/** Returns the kind of the template that the form makes. Only marketing templates of the user's words have a kind. */
export function kindOf({ kind, category, library }: TemplateFields): TemplateKind {
	return category === 'MARKETING' && library === null ? kind : 'STANDARD'
}

/** Returns an empty button. A website's clicks are counted unless the user turns counting off. */
export function newButton(type: TemplateButton['type'], key: string): ButtonFields {
	return { key, type, text: '', url: '', url_example: '', count_clicks: true, phone_number: '', code_example: '' }
}

/** Converts the form to the input of the rules, without fields that its category, kind and header type do not use. */
export function draftOf(fields: TemplateFields, files: ChosenFiles = NO_FILES): TemplateDraft {
	const { name, category, language, header_type, header_text, header_example, body_text, body_examples } = fields
	const identity = { name, category, language }
	if (category === 'AUTHENTICATION')
		return {
			...identity,
			header_type: 'NONE',
			body_text: '',
			body_examples: [],
			buttons: [],
			code_expiration_minutes: fields.code_expiration_minutes,
			otp_button_text: fields.otp_button_text,
		}
	const kind = kindOf(fields)
	const text = {
		...identity,
		body_text,
		body_examples,
		...(category === 'MARKETING' && { message_send_ttl_seconds: fields.message_send_ttl_seconds }),
	}
	if (kind === 'CAROUSEL') return { ...text, kind, header_type: 'NONE', buttons: [], ...cardDrafts(fields, files) }
	const isMedia = isMediaHeader(header_type)
	const headerFile = files.get(HEADER_FILE) ?? null
	return {
		...text,
		header_type,
		buttons: fields.buttons.map(usedTexts),
		...(kind === 'STANDARD' ? { footer_text: fields.footer_text } : { kind, offer_text: fields.offer_text }),
		...(header_type === 'TEXT' && { header_text, header_example }),
		...(isMedia && fields.header_from && !headerFile && { header_from: fields.header_from }),
		...(isMedia && { headerFile }),
		...(fields.library && {
			library_template_name: fields.library.name,
			library_additions: fields.library.additions,
		}),
	}
}

/** Returns the cards with their files, and the original that they reuse files of. */
function cardDrafts(
	{ cards, card_header, header_from }: TemplateFields,
	files: ChosenFiles,
): Pick<TemplateDraft, 'cards' | 'header_from'> {
	const drafts = cards.map(({ key, body_text, body_examples, buttons, file_of_card }): CardDraft => {
		const isReused = !files.has(key) && header_from !== '' && file_of_card > 0
		return {
			header_type: card_header,
			body_text,
			body_examples,
			buttons: buttons.map(usedTexts),
			...(isReused ? { file_of_card } : { file: files.get(key) ?? null }),
		}
	})
	return { cards: drafts, ...(drafts.some((card) => card.file_of_card !== undefined) && { header_from }) }
}

function usedTexts({
	type,
	text,
	url,
	url_example,
	count_clicks,
	phone_number,
	code_example,
}: ButtonFields): TemplateButton {
	if (type === 'URL') {
		const isVariable = url.includes('{{')
		const isCounted = count_clicks && !isVariable && !isHttp(url)
		return { type, text, url, ...(isVariable && { url_example }), ...(isCounted && { count_clicks }) }
	}
	if (type === 'PHONE_NUMBER') return { type, text, phone_number }
	if (type === 'REQUEST_CONTACT_INFO') return { type }
	return type === 'COPY_CODE' ? { type, code_example } : { type, text }
}

/** Returns the request body. */
export function bodyOf(fields: TemplateFields, { files, requestId }: { files: ChosenFiles; requestId: string }) {
	const draft = draftOf(fields, files)
	const { headerFile: _file, cards, body_examples, buttons, library_additions, ...texts } = draft
	return {
		...texts,
		...(cards && { cards: JSON.stringify(cards.map(({ file: _cardFile, ...card }) => card)) }),
		...(library_additions && { library_additions: JSON.stringify(library_additions) }),
		body_examples: JSON.stringify(body_examples),
		buttons: JSON.stringify(buttons),
		...(fields.category === 'AUTHENTICATION' && {
			add_security_recommendation: fields.add_security_recommendation ? ('true' as const) : ('false' as const),
		}),
		requestId,
	}
}

/** Returns the files to send with the request body, by field. */
export function filesOf(fields: TemplateFields, files: ChosenFiles): Record<string, File | null> {
	if (kindOf(fields) !== 'CAROUSEL') return { header_file: files.get(HEADER_FILE) ?? null }
	return Object.fromEntries(fields.cards.map(({ key }, index) => [cardFileField(index), files.get(key) ?? null]))
}

/** Returns true when the two forms are equal. */
export function isSame(one: TemplateFields, other: TemplateFields): boolean {
	return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Converts typed text to a name that Meta accepts: spaces and dashes become underscores, other characters are dropped.
 */
export function writableName(typed: string): string {
	return typed
		.toLowerCase()
		.replaceAll(/[\s-]/g, '_')
		.replaceAll(/[^a-z0-9_]/g, '')
}

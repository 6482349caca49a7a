import * as z from 'zod/mini'
import { LibraryAddition, type TemplateButton } from '#features/templates/contract.ts'
import { isHttp } from '#features/templates/counted-link.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import type { TemplateDraft } from '#features/templates/rules.ts'

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
})
/** Fields of the form, named as in the API. The header's file is held separately. */
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
}

/** Returns an empty button. A website's clicks are counted unless the user turns counting off. */
export function newButton(type: TemplateButton['type'], key: string): ButtonFields {
	return { key, type, text: '', url: '', url_example: '', count_clicks: true, phone_number: '', code_example: '' }
}

/** Converts the form to the input of the rules, without fields that its category and header type do not use. */
export function draftOf(fields: TemplateFields, headerFile: File | null): TemplateDraft {
	const { name, category, language, header_type, header_text, header_example, header_from } = fields
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
	const isMedia = isMediaHeader(header_type)
	return {
		...identity,
		header_type,
		body_text: fields.body_text,
		body_examples: fields.body_examples,
		footer_text: fields.footer_text,
		buttons: fields.buttons.map(usedTexts),
		...(header_type === 'TEXT' && { header_text, header_example }),
		...(isMedia && header_from && !headerFile && { header_from }),
		...(isMedia && { headerFile }),
		...(category === 'MARKETING' && { message_send_ttl_seconds: fields.message_send_ttl_seconds }),
		...(fields.library && {
			library_template_name: fields.library.name,
			library_additions: fields.library.additions,
		}),
	}
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
export function bodyOf(
	fields: TemplateFields,
	{ headerFile, requestId }: { headerFile: File | null; requestId: string },
) {
	const draft = draftOf(fields, headerFile)
	const { headerFile: _file, cards: _cards, body_examples, buttons, library_additions, ...texts } = draft
	return {
		...texts,
		...(library_additions && { library_additions: JSON.stringify(library_additions) }),
		body_examples: JSON.stringify(body_examples),
		buttons: JSON.stringify(buttons),
		...(fields.category === 'AUTHENTICATION' && {
			add_security_recommendation: fields.add_security_recommendation ? ('true' as const) : ('false' as const),
		}),
		requestId,
	}
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

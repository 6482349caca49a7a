import type { CreateTemplateBody, TemplateButton } from '#features/templates/contract.ts'
import type { TemplateDraft } from '#features/templates/rules.ts'

/** A button of the form: each text is there, and empty where the type has no use for it. */
export interface ButtonFields extends Required<TemplateButton> {
	/** Stays with the button while its place in the list changes. */
	key: string
}

/** The fields of a new template's form, with the server's names; the header's file is separate. */
export interface TemplateFields {
	name: string
	category: Exclude<CreateTemplateBody['category'], ''>
	language: string
	header_type: CreateTemplateBody['header_type']
	header_text: string
	header_example: string
	/** The template whose header file is used again; empty for none. */
	header_from: string
	body_text: string
	body_examples: string[]
	footer_text: string
	buttons: ButtonFields[]
	code_expiration_minutes: string
	add_security_recommendation: boolean
	otp_button_text: string
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
	otp_button_text: 'Copy code',
}

export function newButton(type: TemplateButton['type'], key: string): ButtonFields {
	return { key, type, text: '', url: '', url_example: '', phone_number: '', code_example: '' }
}

/** The form as the rules read it: without what its category and header type leave out. */
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
	const isMedia = header_type !== 'NONE' && header_type !== 'TEXT'
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
	}
}

function usedTexts({ type, text, url, url_example, phone_number, code_example }: ButtonFields): TemplateButton {
	if (type === 'URL') return { type, text, url, ...(url.includes('{{') && { url_example }) }
	if (type === 'PHONE_NUMBER') return { type, text, phone_number }
	return type === 'COPY_CODE' ? { type, code_example } : { type, text }
}

/** The texts of the request. */
export function bodyOf(
	fields: TemplateFields,
	{ headerFile, requestId }: { headerFile: File | null; requestId: string },
) {
	const { headerFile: _file, body_examples, buttons, ...texts } = draftOf(fields, headerFile)
	return {
		...texts,
		body_examples: JSON.stringify(body_examples),
		buttons: JSON.stringify(buttons),
		...(fields.category === 'AUTHENTICATION' && {
			add_security_recommendation: fields.add_security_recommendation ? ('true' as const) : ('false' as const),
		}),
		requestId,
	}
}

/** Whether the form still is as it was opened. */
export function isSame(one: TemplateFields, other: TemplateFields): boolean {
	return JSON.stringify(one) === JSON.stringify(other)
}

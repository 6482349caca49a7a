import * as z from 'zod/mini'
import type { TemplateFields } from './template-fields.ts'

/** A draft that an older release wrote differently is no draft. */
const Draft = z.object({
	name: z.string(),
	category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
	language: z.string(),
	header_type: z.enum(['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
	header_text: z.string(),
	header_example: z.string(),
	header_from: z.string(),
	body_text: z.string(),
	body_examples: z.array(z.string()),
	footer_text: z.string(),
	buttons: z.array(
		z.object({
			key: z.string(),
			type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE']),
			text: z.string(),
			url: z.string(),
			url_example: z.string(),
			phone_number: z.string(),
			code_example: z.string(),
		}),
	),
	code_expiration_minutes: z.string(),
	add_security_recommendation: z.boolean(),
	otp_button_text: z.string(),
})

/** Where one draft is kept: the texts that were typed, without the file. */
export interface DraftStore {
	read(): TemplateFields | null
	/** Null: nothing is worth keeping. */
	write(fields: TemplateFields | null): void
}

type Texts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Of each person, a draft of a new template and one for each template that is duplicated. */
export function draftStore(storage: Texts, { userId, from }: { userId: string; from: string | null }): DraftStore {
	const key = `template-draft:${userId}:${from ?? 'new'}`
	return {
		read: () => parse(storage.getItem(key)),
		write(fields) {
			try {
				if (fields) storage.setItem(key, JSON.stringify(fields))
				else storage.removeItem(key)
			} catch {
				// A full or locked storage must not stop anybody from typing.
			}
		},
	}
}

function parse(text: string | null): TemplateFields | null {
	try {
		return z.safeParse(Draft, JSON.parse(text ?? 'null')).data ?? null
	} catch {
		return null
	}
}

import * as z from 'zod/mini'
import type { TemplateFields } from './template-fields.ts'

/** The shape of a stored draft. One that an older release wrote in another shape is ignored. */
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

/** The name of the draft of a new template, or of the copy of template `from`. */
export function templateDraftName(from: string | null): string {
	return `template:${from ?? 'new'}`
}

export function readTemplateDraft(kept: unknown): TemplateFields | null {
	return z.safeParse(Draft, kept).data ?? null
}

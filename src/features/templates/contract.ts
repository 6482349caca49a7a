import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, JsonText, Limit, Message, OptionalId, Page, Required, Search, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'

const Button = z.looseObject({
	type: z.string(),
	text: z.optional(z.string()),
	url: z.optional(z.string()),
	phone_number: z.optional(z.string()),
})

/** A part of a template as Meta describes it; what we do not know is kept. */
export const Component = z.looseObject({
	type: z.string(),
	format: z.optional(z.string()),
	text: z.optional(z.string()),
	buttons: z.optional(z.array(Button)),
})
export type Component = z.output<typeof Component>

export const TemplateRow = z.object({
	_id: z.string(),
	template_id: z.string(),
	name: z.string(),
	language: z.string(),
	status: z.string(),
	category: z.string(),
	quality: z.nullable(z.string()),
	rejectedReason: z.nullable(z.string()),
	/** Our copy of the header's file, as an address the browser may show. */
	mediaUrl: z.nullable(z.string()),
	components: z.array(Component),
	/** POSITIONAL ({{1}}) or NAMED ({{first_name}}). */
	parameterFormat: z.string(),
	/** The category before the last change by Meta, and the one Meta announces; null where there is none. */
	previousCategory: z.nullable(z.string()),
	correctCategory: z.nullable(z.string()),
	/** Meta no longer lists it: it cannot be sent any more, and is kept since campaigns refer to it. */
	isGone: z.boolean(),
	/** Its header is a file that we have no copy of: the owner has to upload one before a campaign can use it. */
	needsHeaderFile: z.boolean(),
	createdAt: Time,
})
export type TemplateRow = z.output<typeof TemplateRow>

const Filter = z.catch(z.optional(z.string().check(z.trim(), z.maxLength(50))), undefined)

/** The largest of the limits for each kind (image 5 MB, video 16 MB, document 10 MB), which the server checks by content. */
const HEADER_FILE_MAX_BYTES = 16 * 1024 * 1024
const HEADER_FILE_TYPES = [
	'image/jpeg',
	'image/png',
	'video/mp4',
	'video/3gpp',
	'application/pdf',
	'application/octet-stream',
]

export const TemplateButton = z.object({
	type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE']),
	text: z.optional(z.string()),
	url: z.optional(z.string()),
	/** What stands for {{1}} in the address, for Meta's review. */
	url_example: z.optional(z.string()),
	phone_number: z.optional(z.string()),
	/** The code of COPY_CODE, as an example. */
	code_example: z.optional(z.string()),
})
export type TemplateButton = z.output<typeof TemplateButton>

/**
 * A new template, as a multipart form. What depends on several fields (each in its order and its own words) is in `rules.ts`,
 * which the form and the server share. `body_examples` holds one example for each variable, in the order of their numbers; of named ones, in that of their first use.
 */
export const CreateTemplateBody = z.object({
	name: z._default(z.string().check(z.trim()), ''),
	category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'], 'Please select a category'),
	language: z._default(z.string().check(z.trim()), ''),
	header_type: z._default(z.enum(['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']), 'NONE'),
	header_text: z.optional(z.string()),
	/** The example for a variable of the header's text. */
	header_example: z.optional(z.string()),
	body_text: z._default(z.string(), ''),
	body_examples: z._default(JsonText(z.array(z.string()), 'Examples must be JSON'), []),
	footer_text: z.optional(z.string()),
	buttons: z._default(JsonText(z.array(TemplateButton), 'Buttons must be JSON'), []),
	/** AUTHENTICATION only: Meta presets the text. Minutes, 1 to 90. */
	code_expiration_minutes: z.optional(z.string()),
	add_security_recommendation: z.optional(z.enum(['true', 'false'])),
	/** AUTHENTICATION only: what the button that copies the code says. */
	otp_button_text: z.optional(z.string()),
	/** A template of ours whose header file is used again, for a duplicate without a new file. */
	header_from: OptionalId,
	requestId: z.optional(RequestId),
})
export type CreateTemplateBody = z.output<typeof CreateTemplateBody>

export const templates = {
	list: endpoint({
		method: 'GET',
		path: '/api/templates',
		access: 'user',
		query: z.object({
			page: Page,
			limit: Limit(1000),
			search: Search,
			/** Each one value or none: APPROVED, MARKETING, en_US. */
			status: Filter,
			category: Filter,
			language: Filter,
		}),
		response: z.object({
			templates: z.array(TemplateRow),
			page: z.int(),
			pages: z.int(),
			total: z.int(),
			/** What the account's templates have, for the filters. */
			languages: z.array(z.string()),
			lastSyncedAt: z.nullable(Time),
		}),
	}),
	create: endpoint({
		method: 'POST',
		path: '/api/templates',
		access: 'user',
		body: CreateTemplateBody,
		files: { header_file: { maxBytes: HEADER_FILE_MAX_BYTES, types: HEADER_FILE_TYPES } },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/** By our id or by Meta's. */
	get: endpoint({
		method: 'GET',
		path: '/api/templates/{id}',
		access: 'user',
		params: z.object({ id: Id }),
		response: TemplateRow,
	}),
	/** Removes all language versions, here and at Meta. */
	remove: endpoint({
		method: 'DELETE',
		path: '/api/templates/{name}',
		access: 'user',
		params: z.object({ name: Required('Template name and body text are required', 512) }),
		response: Message,
	}),
	/** Our copy of the header's file of a template that was made elsewhere. */
	uploadHeaderFile: endpoint({
		method: 'POST',
		path: '/api/templates/{id}/header',
		access: 'user',
		params: z.object({ id: Id }),
		files: { header_file: { maxBytes: HEADER_FILE_MAX_BYTES, types: HEADER_FILE_TYPES } },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/** The header's picture, video or document: what `mediaUrl` points to. The browser's token must come along. */
	headerFile: endpoint({
		method: 'GET',
		path: '/api/templates/{id}/header',
		access: 'user',
		params: z.object({ id: Id }),
		response: { file: 'application/octet-stream' },
	}),
	/** How the account's business appears in WhatsApp. */
	profile: endpoint({
		method: 'GET',
		path: '/api/templates/profile',
		access: 'user',
		response: z.object({
			success: z.boolean(),
			verifiedName: z.string(),
			businessName: z.string(),
			profilePictureUrl: z.nullable(z.string()),
			/** Whether the account's credentials hold the App ID that Meta's upload of a header's file needs. */
			canUploadHeader: z.boolean(),
		}),
	}),
	/** Fetches the account's templates from Meta anew. */
	sync: endpoint({
		method: 'POST',
		path: '/api/templates/sync',
		access: 'user',
		response: z.object({ message: z.string(), count: z.int() }),
	}),
}

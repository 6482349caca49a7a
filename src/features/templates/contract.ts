import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import {
	Id,
	JsonList,
	Limit,
	ListQuery,
	Message,
	OptionalId,
	Required,
	RowId,
	SortedBy,
	Text,
	Time,
	TrimmedText,
} from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import { BYTES_PER_MEGABYTE, HEADER_FILE_LIMITS, isMediaHeader } from './limits.ts'

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
	_id: RowId,
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

const Filter = z.catch(z.optional(TrimmedText(50)), undefined)

/** The kind of the file is known by its content alone, so any type may come; the largest kind (a video of 16 MB) sets the limit. */
const HEADER_FILE = {
	maxBytes: HEADER_FILE_LIMITS.VIDEO.maxMegabytes * BYTES_PER_MEGABYTE,
	tooLarge: ({ header_type = '' }: Record<string, string>) => {
		const kind = header_type.trim().toUpperCase()
		return `File size exceeds ${HEADER_FILE_LIMITS[isMediaHeader(kind) ? kind : 'VIDEO'].maxMegabytes}MB limit`
	},
}

/** One of these words, in capitals or not. */
function Choice<const Words extends readonly string[]>(words: Words, message: string) {
	return z.pipe(TrimmedText(50, { missing: message, tooLong: message }).check(z.toUpperCase()), z.enum(words, message))
}

/** The exact limits are in `rules.ts`, each with its own words. */
const Draft = Text(10_000)

/** A text inside JSON: numbers are written as texts, and null is none. */
const JsonWord = z.pipe(
	z.union([Draft, z.number(), z.null()], 'This must be a text'),
	z.transform((value) => (value === null ? '' : String(value))),
)

export const TemplateButton = z.object({
	type: Choice(
		['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'],
		'A button is QUICK_REPLY, URL, PHONE_NUMBER or COPY_CODE',
	),
	text: z.optional(JsonWord),
	url: z.optional(JsonWord),
	/** The example for {{1}} in the URL, for Meta's review. */
	url_example: z.optional(JsonWord),
	/** Leads there by an address of ours, which counts the clicks. */
	count_clicks: z.optional(z.boolean('count_clicks is true or false')),
	phone_number: z.optional(JsonWord),
	/** The code of COPY_CODE, as an example. */
	code_example: z.optional(JsonWord),
})
export type TemplateButton = z.output<typeof TemplateButton>

const EXAMPLES = 'Examples must be a JSON list of texts'
const EXAMPLE_LIMITS = { items: 250, length: 500_000 }
const ExampleList = z.array(JsonWord).check(z.maxLength(EXAMPLE_LIMITS.items))
const FLAT = z.transform((examples: (string | string[])[]) => examples.flat())

/**
 * A new template, as a multipart form. What depends on several fields (each in its order and its own words) is in `rules.ts`,
 * which the form and the server share. `body_examples` holds one example for each variable, in the order of their numbers; of named ones, in that of
 * their first use. They may stand in a list of their own, as in Meta's `body_text`.
 */
export const CreateTemplateBody = z.object({
	name: z._default(Draft.check(z.trim()), ''),
	/** '' is none: the rules refuse it after what the specification checks first. */
	category: z._default(Choice(['', 'MARKETING', 'UTILITY', 'AUTHENTICATION'], 'Please select a category'), ''),
	language: z._default(Draft.check(z.trim()), ''),
	header_type: z._default(
		z.pipe(
			Choice(['', 'NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'], 'Please select a header type'),
			z.transform((type) => type || 'NONE'),
		),
		'NONE',
	),
	header_text: z.optional(Draft),
	/** The example for a variable of the header's text. */
	header_example: z.optional(Draft),
	body_text: z._default(Draft, ''),
	body_examples: z.pipe(JsonList(z.union([JsonWord, ExampleList], EXAMPLES), EXAMPLES, EXAMPLE_LIMITS), FLAT),
	footer_text: z.optional(Draft),
	buttons: JsonList(TemplateButton, 'Buttons must be a JSON list', { items: 20, length: 100_000 }),
	/** AUTHENTICATION only: Meta presets the text. Minutes, 1 to 90. */
	code_expiration_minutes: z.optional(Draft),
	add_security_recommendation: z.optional(z.enum(['true', 'false'])),
	/** AUTHENTICATION only: what the button that copies the code says. */
	otp_button_text: z.optional(Draft),
	/** A template of ours whose header file is used again, for a duplicate without a new file. */
	header_from: OptionalId,
	requestId: z.optional(RequestId),
})
export type CreateTemplateBody = z.output<typeof CreateTemplateBody>

/** What the list of templates can be ordered by. */
export const TEMPLATE_SORTS = ['createdAt', 'name', 'language', 'status', 'category'] as const

export const templates = {
	list: endpoint('GET /api/templates', {
		access: 'user',
		query: z.object({
			...ListQuery,
			limit: Limit(1000),
			/** Each one value or none: APPROVED, MARKETING, en_US. */
			status: Filter,
			category: Filter,
			language: Filter,
			...SortedBy(TEMPLATE_SORTS, 'createdAt'),
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
	create: endpoint('POST /api/templates', {
		access: 'user',
		body: CreateTemplateBody,
		files: { header_file: HEADER_FILE },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/** By our id or by Meta's. */
	get: endpoint('GET /api/templates/{id}', { access: 'user', params: z.object({ id: Id }), response: TemplateRow }),
	/** Removes all language versions, here and at Meta. */
	remove: endpoint('DELETE /api/templates/{name}', {
		access: 'user',
		params: z.object({ name: Required('Template name and body text are required', 512) }),
		response: Message,
	}),
	/** Our copy of the header's file of a template that was made elsewhere. */
	uploadHeaderFile: endpoint('POST /api/templates/{id}/header', {
		access: 'user',
		params: z.object({ id: Id }),
		files: { header_file: HEADER_FILE },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/** The header's picture, video or document: what `mediaUrl` points to. The browser's token must come along. */
	headerFile: endpoint('GET /api/templates/{id}/header', {
		access: 'user',
		params: z.object({ id: Id }),
		response: { file: 'application/octet-stream' },
	}),
	/** How the account's business appears in WhatsApp. */
	profile: endpoint('GET /api/templates/profile', {
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
	sync: endpoint('POST /api/templates/sync', {
		effort: 'long',
		access: 'user',
		response: z.object({ message: z.string(), count: z.int() }),
	}),
}

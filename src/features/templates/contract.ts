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
import { headerTooLarge, isMediaHeader, MAX_CARDS, MAX_NAME_LENGTH, maxHeaderBytes } from './limits.ts'

export const Button = z.looseObject({
	type: z.string(),
	text: z.optional(z.string()),
	url: z.optional(z.string()),
	phone_number: z.optional(z.string()),
})

const PART = {
	type: z.string(),
	format: z.optional(z.string()),
	text: z.optional(z.string()),
	buttons: z.optional(z.array(Button)),
}

/** Component of a template as Meta describes it; unknown keys are preserved. `partsOf` walks the template and its cards. */
export const Component = z.looseObject({
	...PART,
	/** Cards of CAROUSEL, each with its own header, body and buttons. */
	cards: z.optional(z.array(z.looseObject({ components: z.array(z.looseObject(PART)) }))),
	/** The box of LIMITED_TIME_OFFER. Previews add `expiration_time_ms`, the end of the offer since 1970. */
	limited_time_offer: z.optional(
		z.looseObject({
			text: z.optional(z.string()),
			has_expiration: z.optional(z.boolean()),
			expiration_time_ms: z.optional(z.number()),
		}),
	),
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
	/** Address of our copy of the header's file; null without a copy. */
	mediaUrl: z.nullable(z.string()),
	/** Addresses of our copies of the cards' files, in the order of the cards; null for a card without a copy. */
	cardMediaUrls: z.array(z.nullable(z.string())),
	components: z.array(Component),
	/** Kind of variables: POSITIONAL ({{1}}) or NAMED ({{first_name}}). */
	parameterFormat: z.string(),
	/** Seconds after which WhatsApp stops trying to deliver a message; null for WhatsApp's default. */
	ttlSeconds: z.nullable(z.int()),
	/** Category before Meta's last change, and the category that Meta has announced; null where there is none. */
	previousCategory: z.nullable(z.string()),
	correctCategory: z.nullable(z.string()),
	/** True when Meta no longer lists the template. It cannot be sent, and remains because campaigns refer to it. */
	isGone: z.boolean(),
	/**
	 * True when the header, or that of a card, is a file without a copy here: the user must upload one before a campaign can
	 * use the template.
	 */
	needsHeaderFile: z.boolean(),
	createdAt: Time,
})
export type TemplateRow = z.output<typeof TemplateRow>

const Filter = z.catch(z.optional(TrimmedText(50)), undefined)

/**
 * Accepts any declared type, because the content decides the type. The largest kind, a video of 16 MB, sets the size
 * limit.
 */
const HEADER_FILE = {
	maxBytes: maxHeaderBytes('VIDEO'),
	tooLarge: ({ header_type = '' }: Record<string, string>) => {
		const kind = header_type.trim().toUpperCase()
		return headerTooLarge(isMediaHeader(kind) ? kind : 'VIDEO')
	},
}

/** Files of the cards, by position: `card_file_1` is that of the first card. */
const CARD_FILES = Object.fromEntries(
	Array.from({ length: MAX_CARDS }, (_, index) => [cardFileField(index), HEADER_FILE]),
)

/** Returns the field of the form that holds the file of a card; `index` is from 0. */
export function cardFileField(index: number): string {
	return `card_file_${index + 1}`
}

/** Returns a schema for one of these words, in any letter case. */
function Choice<const Words extends readonly string[]>(words: Words, message: string) {
	return z.pipe(TrimmedText(50, { missing: message, tooLong: message }).check(z.toUpperCase()), z.enum(words, message))
}

/** Position of a card, from 1; left out for the header of the template itself. */
export const CardNumber = z.optional(
	z.pipe(z.pipe(Text(3), z.transform(Number)), z.int().check(z.minimum(1), z.maximum(MAX_CARDS))),
)

/** Coarse limit; `rules.ts` has the exact limits with their own messages. */
const Draft = Text(10_000)

/** Schema of a text inside JSON. A number becomes text, and null an empty text. */
const JsonWord = z.pipe(
	z.union([Draft, z.number(), z.null()], 'This must be a text'),
	z.transform((value) => (value === null ? '' : String(value))),
)

export const TemplateButton = z.object({
	type: Choice(
		['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'REQUEST_CONTACT_INFO'],
		'A button is QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE or REQUEST_CONTACT_INFO',
	),
	text: z.optional(JsonWord),
	url: z.optional(JsonWord),
	/** Example for {{1}} in the URL, for Meta's review. */
	url_example: z.optional(JsonWord),
	/** True counts the clicks: the button leads to the product's own address, which redirects to `url`. */
	count_clicks: z.optional(z.boolean('count_clicks is true or false')),
	phone_number: z.optional(JsonWord),
	/** Example of the code of COPY_CODE. */
	code_example: z.optional(JsonWord),
})
export type TemplateButton = z.output<typeof TemplateButton>

const EXAMPLES = 'Examples must be a JSON list of texts'
const EXAMPLE_LIMITS = { items: 250, length: 500_000 }
const ExampleList = z.array(JsonWord).check(z.maxLength(EXAMPLE_LIMITS.items))
const FLAT = z.transform((examples: (string | string[])[]) => examples.flat())

/** One card of a carousel. Its file is the form's `card_file_1`, `card_file_2` and so on. */
export const TemplateCard = z.object({
	header_type: Choice(['IMAGE', 'VIDEO'], 'The header of a card is IMAGE or VIDEO'),
	/** Empty for cards without a text: all cards have one, or none has. */
	body_text: z._default(JsonWord, ''),
	/** One example per variable of the card's text. */
	body_examples: z._default(ExampleList, []),
	buttons: z._default(z.array(TemplateButton).check(z.maxLength(10, 'A card has at most 10 buttons')), []),
	/** Position, from 1, of the card of the template `header_from` whose file is reused; its own position when left out. */
	file_of_card: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_CARDS))),
})
export type TemplateCard = z.output<typeof TemplateCard>

const CARDS = 'Cards must be a JSON list'
const KINDS = ['STANDARD', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const
export type TemplateKind = (typeof KINDS)[number]

/** Sentences that WhatsApp can add to a text of its library, as Meta names them. */
export const LibraryAddition = z.enum(
	['add_contact_number', 'add_learn_more_link', 'add_track_package_link'],
	'An addition is add_contact_number, add_learn_more_link or add_track_package_link',
)
export type LibraryAddition = z.output<typeof LibraryAddition>

/**
 * A new template as a multipart form. Rules that involve several fields are in `rules.ts`, which form and server share.
 * `body_examples` has one example per variable: by number for positional variables, by first use for named ones. As in
 * Meta's `body_text`, the examples may be nested in another list.
 */
export const CreateTemplateBody = z.object({
	name: z._default(Draft.check(z.trim()), ''),
	/** Empty means missing; the rules report it after the checks that the specification puts first. */
	category: z._default(Choice(['', 'MARKETING', 'UTILITY', 'AUTHENTICATION'], 'Please select a category'), ''),
	language: z._default(Draft.check(z.trim()), ''),
	/** CAROUSEL has `cards`, LIMITED_TIME_OFFER has `offer_text`. */
	kind: z._default(Choice(KINDS, 'A template is STANDARD, CAROUSEL or LIMITED_TIME_OFFER'), 'STANDARD'),
	header_type: z._default(
		z.pipe(
			Choice(['', 'NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'], 'Please select a header type'),
			z.transform((type) => type || 'NONE'),
		),
		'NONE',
	),
	header_text: z.optional(Draft),
	/** Example for the variable of the header's text. */
	header_example: z.optional(Draft),
	body_text: z._default(Draft, ''),
	body_examples: z.pipe(JsonList(z.union([JsonWord, ExampleList], EXAMPLES), EXAMPLES, EXAMPLE_LIMITS), FLAT),
	footer_text: z.optional(Draft),
	buttons: JsonList(TemplateButton, 'Buttons must be a JSON list', { items: 20, length: 100_000 }),
	/** Cards of CAROUSEL, in the order in which customers see them. */
	cards: JsonList(TemplateCard, CARDS, { items: MAX_CARDS, length: 1_000_000 }),
	/** Text in the box of LIMITED_TIME_OFFER, above the time that is left. */
	offer_text: z.optional(Draft),
	/** AUTHENTICATION only, whose text Meta presets: expiry of the code in minutes, 1 to 90. */
	code_expiration_minutes: z.optional(Draft),
	add_security_recommendation: z.optional(z.enum(['true', 'false'])),
	/**
	 * Seconds after which WhatsApp stops trying to deliver a message, within the range of the category; empty for WhatsApp's
	 * default.
	 */
	message_send_ttl_seconds: z.optional(Draft),
	/** AUTHENTICATION only: text of the button that copies the code. */
	otp_button_text: z.optional(Draft),
	/** Id of a template whose header file, or files of cards, are reused where the form has no new file. */
	header_from: OptionalId,
	/** Name of a text of WhatsApp's library, which replaces the texts above; of `buttons`, addresses and numbers count. */
	library_template_name: z.optional(TrimmedText(MAX_NAME_LENGTH)),
	/** Sentences that WhatsApp adds to a text of its library which has a place for them. */
	library_additions: z.optional(
		JsonList(LibraryAddition, 'The additions must be a JSON list of words', { items: 10, length: 500 }),
	),
	requestId: z.optional(RequestId),
})
export type CreateTemplateBody = z.output<typeof CreateTemplateBody>

/** Sort keys of the list of templates. */
export const TEMPLATE_SORTS = ['createdAt', 'name', 'language', 'status', 'category'] as const

const oneTemplate = { access: 'template-agent', params: z.object({ id: Id }) } as const

export const templates = {
	list: endpoint('GET /api/templates', {
		access: 'template-agent',
		query: z.object({
			...ListQuery,
			limit: Limit(1000),
			/** Filters with one value each, such as APPROVED, MARKETING or en_US. */
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
			/** Languages of all the account's templates, for the filter. */
			languages: z.array(z.string()),
			lastSyncedAt: z.nullable(Time),
		}),
	}),
	create: endpoint('POST /api/templates', {
		access: 'manager',
		body: CreateTemplateBody,
		files: { header_file: HEADER_FILE, ...CARD_FILES },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/** Returns one template, by our id or by Meta's. */
	get: endpoint('GET /api/templates/{id}', { ...oneTemplate, response: TemplateRow }),
	/** Deletes all languages of a template, here and at Meta. */
	remove: endpoint('DELETE /api/templates/{name}', {
		access: 'manager',
		params: z.object({ name: Required('Template name and body text are required', 512) }),
		response: Message,
	}),
	/** Stores the file of a header, or of a card's header, of a template that was created outside the product. */
	uploadHeaderFile: endpoint('POST /api/templates/{id}/header', {
		access: 'manager',
		params: z.object({ id: Id }),
		body: z.object({ card: CardNumber }),
		files: { header_file: HEADER_FILE },
		response: z.object({ message: z.string(), template: TemplateRow }),
	}),
	/**
	 * Returns the header's picture, video or document, to which `mediaUrl` points, or that of a card. Requires the access
	 * token.
	 */
	headerFile: endpoint('GET /api/templates/{id}/header', {
		...oneTemplate,
		query: z.object({ card: CardNumber }),
		response: { file: 'application/octet-stream' },
	}),
	/** Returns the account's business profile in WhatsApp. */
	profile: endpoint('GET /api/templates/profile', {
		access: 'template-agent',
		response: z.object({
			success: z.boolean(),
			verifiedName: z.string(),
			businessName: z.string(),
			profilePictureUrl: z.nullable(z.string()),
			/** True when the account's credentials include the App ID, which Meta's upload of header files requires. */
			canUploadHeader: z.boolean(),
		}),
	}),
	/** Fetches the account's templates from Meta again. */
	sync: endpoint('POST /api/templates/sync', {
		effort: 'long',
		access: 'manager',
		response: z.object({ message: z.string(), count: z.int() }),
	}),
}

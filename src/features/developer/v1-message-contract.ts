import * as z from 'zod/mini'
import { MessageStatus } from '#features/delivery/rules.ts'
import { maxHeaderBytes } from '#features/templates/limits.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, JsonText, RowId, SentTime, Text, Time } from '#lib/fields.ts'
import {
	Amount,
	CURSOR_TEXT,
	Described,
	ListOf,
	MAX_LIST_BYTES,
	Metadata,
	Paged,
	Reference,
	TemplateName,
	Values,
} from './v1-fields.ts'
import { NumbersBesideFaults, PhoneNumber, TypedNumber } from './v1-number-fields.ts'

export const MAX_BATCH = 1000

/** Id of a message: the id of its campaign, and its number within the campaign. */
const MessageId = Text(30, { tooLong: 'Not a valid id' }).check(
	z.regex(/^[1-9]\d{0,14}-[1-9]\d{0,8}$/, 'Not a valid id'),
)

export const OneMessage = z.strictObject({
	to: Described(
		TypedNumber(),
		'With its country code, such as +447700900123; ten digits are an Indian number. A JSON number is read as its digits.',
	),
	values: Described(
		z._default(Values, {}),
		'By the names that `GET /v1/templates` lists: var1 for {{1}} of the body, header1 for the header, url1 for the end of a link.',
	),
})

/** The fields by which a program knows a message. */
export const Named = {
	reference: Described(
		z.optional(Reference),
		'A text of your own, such as the number of an order. The message and its events contain it, and `GET /v1/messages` finds it.',
	),
	metadata: Described(
		z.optional(Metadata),
		'Up to 20 texts of up to 200 characters, by names of up to 40. The message and its events contain them.',
	),
}

const SentMessage = z.object({
	id: z.string(),
	to: z.string(),
	status: MessageStatus,
	campaignId: Described(RowId, 'The campaign that it belongs to, or that gathers the messages of its day.'),
	template: z.object({ name: z.string(), language: z.string() }),
	reference: z.nullable(z.string()),
	metadata: z.nullable(z.record(z.string(), z.string())),
	error: Described(
		z.nullable(z.object({ code: z.int(), title: z.string(), detail: z.string() })),
		'Reason of the failure: WhatsApp’s code and name for it, and its meaning. Null for a message that has not failed.',
	),
	sentAt: z.nullable(Time),
	statusAt: Described(z.nullable(Time), 'When it got its present status; null while it is pending.'),
})

/** Characters of the longest address of a file. */
const MAX_ADDRESS_LENGTH = 2000

/** Characters of the JSON of a message in a form. */
const MAX_MESSAGE_LENGTH = 100_000

const FileAddress = z.strictObject({
	url: Described(
		Text(MAX_ADDRESS_LENGTH).check(z.regex(/^https:\/\//i, 'The address of a file begins with https://')),
		'Everyone on the internet must be able to open it. We fetch it once, within 20 seconds, before the answer.',
	),
})

const Message = z.extend(OneMessage, { template: TemplateName, ...Named })

const Ordered = z.object({ id: z.string(), status: z.literal('pending'), campaignId: RowId, price: Amount })

/** Refusals that every call which sends may return. */
const REFUSALS = [
	'insufficient_balance',
	'day_limit_reached',
	'template_not_found',
	'template_not_usable',
	'recipient_opted_out',
	'recipient_unpriced',
	'sender_missing',
	'sender_stopped',
	'busy',
	'test_limit_reached',
] as const

const writes = {
	access: 'key',
	scope: 'messages:write',
	status: 202,
	effort: 'gathered',
	errors: REFUSALS,
} as const
const reads = { access: 'key', scope: 'messages:read' } as const

/** Calls to send and follow messages. */
export const v1Messages = {
	sendMessage: endpoint('POST /v1/messages', {
		...writes,
		summary: 'Send a message',
		description:
			'Sends a template to one number. The answer 202 means that the message is stored and its price is on hold. The message is sent within about a second, before the campaigns of your account, even if this server restarts. Follow it with `GET /v1/messages/{id}`. My Campaigns shows the messages of a day with one template as one entry. A template with a document, an image or a video in its header is sent with the file of the template, or with one of this message alone, whose address `file` names.',
		body: z
			.extend(Message, { file: Described(z.optional(FileAddress), 'The file in the header of this message alone.') })
			.check(NumbersBesideFaults({ list: null, field: 'to' })),
		response: Ordered,
	}),
	sendFile: endpoint('POST /v1/messages/with-file', {
		...writes,
		effort: 'heavy',
		summary: 'Send a message with a file',
		description:
			'Does what `POST /v1/messages` does, with a file in the header of this message alone: a form with the JSON of that call in the part `message`, and the content in the part `file`. The Idempotency-Key stands for both parts.',
		files: { file: { maxBytes: maxHeaderBytes('VIDEO') } },
		body: z.strictObject({
			message: Described(
				JsonText(
					Message.check(NumbersBesideFaults({ list: null, field: 'to' })),
					'This part must be JSON',
					MAX_MESSAGE_LENGTH,
				),
				'The body of `POST /v1/messages` as JSON.',
			),
		}),
		response: Ordered,
	}),
	sendBatch: endpoint('POST /v1/messages/batch', {
		...writes,
		maxBytes: MAX_LIST_BYTES,
		summary: 'Send up to 1,000 messages',
		description:
			'Sends one template to up to 1,000 numbers, each with its own values. Stores and holds the price of all of them, or of none and returns a 422 that names every fault with its place, such as `/messages/3/to`.',
		body: z
			.strictObject({
				template: TemplateName,
				messages: z
					.array(z.extend(OneMessage, Named))
					.check(z.minLength(1, 'Send at least one message'), z.maxLength(MAX_BATCH, 'At most 1,000 messages at once')),
			})
			.check(NumbersBesideFaults({ list: 'messages', field: 'to', mayRepeat: true })),
		response: z.object({
			campaignId: RowId,
			price: Described(Amount, 'Of each message in India. Messages to other countries may have a price of their own.'),
			total: Described(Amount, 'Of all of them.'),
			messages: Described(
				z.array(
					z.object({
						id: z.string(),
						to: z.string(),
						price: Described(z.optional(Amount), 'Present when messages of the list have different prices.'),
					}),
				),
				'In the order of the request.',
			),
		}),
	}),
	messages: endpoint('GET /v1/messages', {
		...reads,
		summary: 'List messages',
		description:
			'Messages of your account: of this API, of campaigns, and tests. The latest campaign comes first, or the latest day of messages of this API, and in each the last message.',
		query: z.strictObject({
			cursor: Described(z.optional(MessageId), CURSOR_TEXT),
			limit: Paged.limit,
			campaign: Described(z.optional(Id), 'Only those of this campaign.'),
			number: Described(z.optional(PhoneNumber), 'Only those to this number.'),
			reference: Described(z.optional(Reference), 'Only those with this reference.'),
			from: Described(
				z.optional(SentTime),
				'Only messages that were sent or failed at this time or later, and pending messages.',
			),
			to: Described(z.optional(SentTime), 'Only those that were sent or failed before.'),
		}),
		response: ListOf(SentMessage),
	}),
	message: endpoint('GET /v1/messages/{id}', {
		...reads,
		summary: 'Read a message',
		description:
			'A message with its status: `pending`, then `sent`, `delivered` and `read`, or `failed` with the reason. A failed message is not charged.',
		params: z.object({ id: MessageId }),
		response: SentMessage,
	}),
}

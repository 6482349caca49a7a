import * as z from 'zod/mini'
import { Variables } from '#features/campaigns/form-fields.ts'
import { MAX_NUMBER_LENGTH } from '#features/contacts/form-fields.ts'
import { NUMBER_INVALID } from '#features/contacts/rules.ts'
import { MessageStatus } from '#features/messages/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, RowId, SentTime, Text, Time } from '#lib/fields.ts'
import { Amount, ListOf, Paged, TemplateName } from './v1-fields.ts'

export const MAX_BATCH = 1000
export const MAX_BATCH_BYTES = 4_000_000

/** The campaign that gathers it, and its number within that. */
const MessageId = Text(30, { tooLong: 'Not a valid id' }).check(
	z.regex(/^[1-9]\d{0,14}-[1-9]\d{0,8}$/, 'Not a valid id'),
)

export const OneMessage = z.object({
	to: Text(MAX_NUMBER_LENGTH, { missing: NUMBER_INVALID, tooLong: NUMBER_INVALID }),
	/** By the names that the template lists: var1 for {{1}} of the body, header1, url1. */
	values: z._default(Variables, {}),
})

const Message = z.object({
	id: z.string(),
	to: z.string(),
	status: MessageStatus,
	campaignId: RowId,
	template: z.object({ name: z.string(), language: z.string() }),
	/** Why it failed: what WhatsApp calls it, and what that means. */
	error: z.nullable(z.object({ code: z.int(), title: z.string(), detail: z.string() })),
	sentAt: z.nullable(Time),
	/** When it got its status; null while it is pending. */
	statusAt: z.nullable(Time),
})

const writes = { access: 'key', scope: 'messages:write', status: 202, effort: 'gathered', isRepeatable: true } as const
const reads = { access: 'key', scope: 'messages:read' } as const

/** Messages that programs send and follow. */
export const v1Messages = {
	sendMessage: endpoint('POST /v1/messages', {
		...writes,
		summary: 'Sends a template to one number. It is kept and paid once this is answered',
		body: z.extend(OneMessage, { template: TemplateName }),
		response: z.object({ id: z.string(), status: z.literal('pending'), campaignId: RowId, price: Amount }),
	}),
	sendBatch: endpoint('POST /v1/messages/batch', {
		...writes,
		maxBytes: MAX_BATCH_BYTES,
		summary: 'Sends a template to up to 1,000 numbers: all of them, or none with a list of what is wrong',
		body: z.object({
			template: TemplateName,
			messages: z
				.array(OneMessage)
				.check(z.minLength(1, 'Send at least one message'), z.maxLength(MAX_BATCH, 'At most 1,000 messages at once')),
		}),
		response: z.object({
			campaignId: RowId,
			/** Of each message, and of all of them. */
			price: Amount,
			total: Amount,
			/** In the order of the request. */
			messages: z.array(z.object({ id: z.string(), to: z.string() })),
		}),
	}),
	messages: endpoint('GET /v1/messages', {
		...reads,
		summary: 'Messages, the latest first: all, or those of a campaign, to a number, or ordered in a span of time',
		query: z.object({
			cursor: z.optional(MessageId),
			limit: Paged.limit,
			campaign: z.optional(Id),
			number: z.optional(Text(MAX_NUMBER_LENGTH, { tooLong: NUMBER_INVALID })),
			/** When their campaign was created; that of messages sent one by one begins with the first of the day. */
			from: z.optional(SentTime),
			to: z.optional(SentTime),
		}),
		response: ListOf(Message),
	}),
	message: endpoint('GET /v1/messages/{id}', {
		...reads,
		summary: 'What became of one message',
		params: z.object({ id: MessageId }),
		response: Message,
	}),
}

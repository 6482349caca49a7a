import * as z from 'zod/mini'
import { Variables } from '#features/audiences/contract.ts'
import { ShownPrice } from '#features/campaigns/rules.ts'
import { Note } from '#features/customers/contract.ts'
import { MessageStatus } from '#features/delivery/rules.ts'
import { Assignee, ChatKey, ViewCounts } from '#features/inbox/contract.ts'
import { CHAT_VIEWS } from '#features/inbox/rules.ts'
import { ATTACHMENT_RULE, MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import { CardNumber, Component } from '#features/templates/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Limit, OneOf, OptionalId, Required, Search, SentTime, Text, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import {
	CONTACT_REQUIRED,
	MAX_ASK_LENGTH,
	MAX_OPT_OUT_BUTTONS,
	MAX_OPT_OUT_WORD_LENGTH,
	MAX_OPT_OUT_WORDS,
	NUMBER_INVALID,
} from './rules.ts'

/** Key of a chat in a body, where a number may also be a JSON number. */
const ChatKeyInBody = z.pipe(
	z.pipe(z.union([Text(1000), z.int()], { error: CONTACT_REQUIRED }), z.transform(String)),
	ChatKey,
)

/**
 * Id of a message that the chat shows: a number for a message of the chat, `campaign:12:3` for the third message of
 * campaign 12.
 */
const MessageId = Text(40).check(z.regex(/^(?:[1-9]\d{0,17}|campaign:[1-9]\d{0,14}:[1-9]\d{0,8})$/, 'Not a valid id'))

const Campaign = z.object({ _id: z.string(), name: z.string() })

export const ChatContact = z.object({
	/** Key of the chat: a number, or a business-scoped user id. */
	number: z.string(),
	/** The contact's name, otherwise the customer's WhatsApp profile name, otherwise the number. */
	name: z.string(),
	/** The last message in one line: its text, or its kind ("Photo", "Location"). */
	lastMessage: z.string(),
	/**
	 * Status of the last message when the account sent it; null when the customer did, when it was typed in the phone app, or
	 * without a message.
	 */
	lastStatus: z.nullable(MessageStatus),
	/** True when the business typed the last message in the phone app. */
	isLastFromPhone: z.boolean(),
	/** First name of the colleague who sent the last message; null for the viewer. The previous release sends none. */
	lastAuthor: z.optional(z.nullable(z.string())),
	/** Null for a number without a chat. */
	timestamp: z.nullable(Time),
	unread: z.int(),
	/** `contact` for a number in the account's contacts, otherwise `unknown`. */
	type: z.enum(['contact', 'unknown']),
	/** End of the service window, 24 hours after the customer's last message; null when the customer never wrote. */
	windowExpiresAt: z.nullable(Time),
	optedOut: z.boolean(),
	assignee: Assignee,
	/** True from its closing until the customer's next message, or until a person opens it again. */
	isClosed: z.boolean(),
})
export type ChatContact = z.output<typeof ChatContact>

export const ChatMessage = z.object({
	id: z.string(),
	from: z.enum(['me', 'other']),
	/** text, image, video, document, audio, sticker, location, contacts, button, interactive, template, contact_request, phone_only, unsupported, … */
	kind: z.string(),
	text: z.string(),
	mediaUrl: z.nullable(z.string()),
	mediaType: z.nullable(z.string()),
	mediaName: z.nullable(z.string()),
	/** State of an inbound file: fetched, being fetched, or no longer available at Meta. Null without a file. */
	mediaState: z.nullable(z.enum(['ready', 'fetching', 'unavailable'])),
	status: MessageStatus,
	/** Reason of the failure in plain words; null without a failure. */
	error: z.nullable(z.string()),
	timestamp: Time,
	/** Reactions to the message, the customer's and ours. */
	reactions: z.array(z.object({ from: z.enum(['me', 'other']), emoji: z.string() })),
	/**
	 * The quoted message: one that the chat shows, or one of a campaign whose messages were deleted. A message that
	 * quotes none has its occasion instead, such as an ad; null without an occasion.
	 */
	replyTo: z.nullable(z.object({ id: z.nullable(z.string()), text: z.string(), campaign: z.nullable(Campaign) })),
	isEdited: z.boolean(),
	isRevoked: z.boolean(),
	location: z.nullable(
		z.object({
			latitude: z.number(),
			longitude: z.number(),
			name: z.nullable(z.string()),
			address: z.nullable(z.string()),
		}),
	),
	/** Shared contacts. */
	cards: z.array(z.object({ name: z.string(), phones: z.array(z.string()) })),
	/** A template's components with its variables filled in; null for other messages. */
	components: z.nullable(z.array(Component)),
	/** Files of the cards of a template, in their order; null for a card without a stored file. */
	cardMedia: z.optional(z.array(z.nullable(z.object({ url: z.string(), type: z.string() })))),
	/** The campaign that sent the message; null for a message sent from the chat. */
	campaign: z.nullable(Campaign),
	/** Idempotency key of the sender, by which a browser recognises its own message; null without a key. */
	requestId: z.nullable(z.string()),
	/** True for a message that the business typed in the phone app: WhatsApp reports no status and charges nothing for it. */
	isFromPhone: z.boolean(),
	/** Name of the person of the account who wrote the message; null without one, and in an account without colleagues. */
	author: z.optional(z.nullable(z.string())),
	/** True for an automatic reply, and for the confirmation of an opt-out. */
	isAutomatic: z.boolean(),
})
export type ChatMessage = z.output<typeof ChatMessage>

/** A quick reply: the name of its template, in any language, and its text. */
export const QuickReply = z.object({
	template: Required('Choose a template', 512),
	text: Required('Choose a quick reply', 200),
})
export type QuickReply = z.output<typeof QuickReply>

const OptOutWord = Required('Enter a word, or remove it', MAX_OPT_OUT_WORD_LENGTH)

/** Opt-out settings: own words and quick replies that opt out, and the confirmations of opt-outs and opt-ins. */
export const ChatSettings = z.object({
	confirms: z.boolean(),
	optOutText: Required('Enter the text of the confirmation', 1000),
	optInText: Required('Enter the text of the confirmation', 1000),
	/** Whole messages that opt out, in addition to STOP and its usual forms. */
	optOutWords: z
		.array(OptOutWord)
		.check(z.maxLength(MAX_OPT_OUT_WORDS, `At most ${MAX_OPT_OUT_WORDS} words are allowed`)),
	/** Quick replies that opt out the customer who taps them. */
	optOutButtons: z
		.array(QuickReply)
		.check(z.maxLength(MAX_OPT_OUT_BUTTONS, `At most ${MAX_OPT_OUT_BUTTONS} quick replies are allowed`)),
})
export type ChatSettings = z.output<typeof ChatSettings>

/** The settings to save. Missing words and quick replies keep their stored values. */
export const ChatSettingsBody = z.object({
	...ChatSettings.shape,
	optOutWords: z.optional(ChatSettings.shape.optOutWords),
	optOutButtons: z.optional(ChatSettings.shape.optOutButtons),
})
export type ChatSettingsBody = z.output<typeof ChatSettingsBody>

/** Data of the WhatsApp Business app on the phone that the account stores. */
export const PhoneAppSettings = z.object({
	/** Chats of the last six months. */
	history: z.boolean('history is true or false'),
	/** Contacts of the app, which get no marketing until they agree to it. */
	contacts: z.boolean('contacts is true or false'),
})
export type PhoneAppSettings = z.output<typeof PhoneAppSettings>

/** Declared type of a file whose type the browser cannot determine. */
export const UNTYPED = 'application/octet-stream'

export const chats = {
	/** Returns chats, newest first. The next page begins after the `timestamp` and `number` of the last one. */
	contacts: endpoint('GET /api/chats/contacts', {
		access: 'agent',
		query: z.object({
			search: Search,
			limit: Limit(1000),
			before: z.optional(SentTime),
			beforeNumber: z.optional(Text(140)),
			view: OneOf(CHAT_VIEWS, 'all'),
			/** Tag of the customer's contact. */
			tag: OptionalId,
			/** Campaign that was sent to the customer. */
			campaign: OptionalId,
		}),
		response: z.object({
			contacts: z.array(ChatContact),
			hasMore: z.boolean(),
			unreadChats: z.int(),
			counts: ViewCounts,
		}),
	}),
	/**
	 * Returns messages, oldest first: the newest `limit`, or the `limit` messages before the message `before`. Includes
	 * messages of campaigns to the number, also when no chat exists.
	 */
	messages: endpoint('GET /api/chats/messages/{number}', {
		access: 'agent',
		params: z.object({ number: ChatKey }),
		query: z.object({ limit: Limit(1000), before: z.optional(MessageId) }),
		response: z.object({
			messages: z.array(ChatMessage),
			hasMore: z.boolean(),
			windowExpiresAt: z.nullable(Time),
			/** The customer of the chat, also when no chat exists. */
			contact: ChatContact,
			/** Notes about the customer, the newest first, with the newest messages; empty for older messages. */
			notes: z.array(Note),
		}),
	}),
	markRead: endpoint('POST /api/chats/mark-read', {
		access: 'agent',
		body: z.object({ number: ChatKeyInBody }),
		response: z.object({ success: z.boolean(), message: z.string() }),
	}),
	/** Sends a message without a template. Returns 402 when replies have a price that the wallet cannot pay. */
	send: endpoint('POST /api/chats/send', {
		access: 'agent',
		body: z.object({
			/** Required, but optional here so that a missing message is reported first. */
			number: z.optional(z.union([Text(140, { tooLong: NUMBER_INVALID }), z.int()], CONTACT_REQUIRED)),
			message: z.optional(Text(MAX_TEXT_LENGTH)),
			/** Our id of the quoted message. */
			replyTo: z.optional(MessageId),
			requestId: z.optional(RequestId),
		}),
		files: { media: ATTACHMENT_RULE },
		response: z.object({ message: z.string(), newMessage: ChatMessage }),
	}),
	/**
	 * Sends an approved template, also while the service window is closed. It costs the price of a campaign message of its
	 * category.
	 */
	sendTemplate: endpoint('POST /api/chats/send-template', {
		access: 'template-agent',
		body: z.object({
			number: ChatKey,
			templateId: Required('Please select a template'),
			variables: z._default(Variables, {}),
			...ShownPrice,
			requestId: z.optional(RequestId),
		}),
		response: z.object({ message: z.string(), newMessage: ChatMessage }),
	}),
	/**
	 * Asks a customer who hides the number for it, while the service window is open. WhatsApp shows a button below the text; the
	 * number that the customer sends makes a contact and joins the chat. Costs as much as a reply.
	 */
	askNumber: endpoint('POST /api/chats/ask-number', {
		access: 'agent',
		body: z.object({
			number: ChatKey,
			message: z.optional(Text(MAX_ASK_LENGTH)),
			requestId: z.optional(RequestId),
		}),
		response: z.object({ message: z.string(), newMessage: ChatMessage }),
	}),
	/** Returns the file of a message, of its template's header, or of a card. `mediaUrl` is the path of this call. */
	media: endpoint('GET /api/chats/media/{id}', {
		access: 'agent',
		params: z.object({ id: MessageId }),
		query: z.object({ card: CardNumber }),
		response: { file: 'application/octet-stream' },
	}),
	settings: endpoint('GET /api/chats/settings', { access: 'manager', response: ChatSettings }),
	saveSettings: endpoint('PUT /api/chats/settings', {
		access: 'manager',
		body: ChatSettingsBody,
		response: z.object({ message: z.string(), settings: ChatSettings }),
	}),
	/** Returns the stored data of the phone app, and whether the number is in the app; `isInApp` is null when unknown. */
	phoneApp: endpoint('GET /api/chats/phone-app', {
		access: 'manager',
		response: z.object({ ...PhoneAppSettings.shape, isInApp: z.nullable(z.boolean()) }),
	}),
	/** Saves the settings, and requests the data that was switched on from WhatsApp. `warnings` has WhatsApp's refusals. */
	savePhoneApp: endpoint('PUT /api/chats/phone-app', {
		access: 'manager',
		body: PhoneAppSettings,
		response: z.object({ message: z.string(), settings: PhoneAppSettings, warnings: z.array(z.string()) }),
	}),
	/** Returns the quick replies of the account's templates, ordered by template and text, at most 1,000. */
	quickReplies: endpoint('GET /api/chats/quick-replies', {
		access: 'manager',
		response: z.object({ quickReplies: z.array(QuickReply) }),
	}),
}

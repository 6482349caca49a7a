import * as z from 'zod/mini'
import { Clock } from '#features/delivery/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Required, RowId, Text, TrimmedText } from '#lib/fields.ts'
import { atMost } from '#lib/text/characters.ts'
import {
	ATTACHMENT_RULE,
	CHOOSE_DAY,
	MAX_CLOSED_DAYS,
	MAX_MONTHLY_LIMIT,
	MAX_PHRASE_LENGTH,
	MAX_PHRASES,
	MAX_SHORTCUT_LENGTH,
	MAX_TEXT_LENGTH,
	variableProblem,
} from './rules.ts'

/** A text, a file or both, which people insert into chats by a short name. */
const SavedReply = z.object({
	_id: RowId,
	/** Name after the slash, in lower case, such as `bank-details`. */
	shortcut: z.string(),
	/** Text with variables such as `{{customerName}}`; empty for a file alone. */
	text: z.string(),
	file: z.nullable(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
})
export type SavedReply = z.output<typeof SavedReply>

const Shortcut = Required('Enter a short name', MAX_SHORTCUT_LENGTH).check(
	z.overwrite((name) => name.replace(/^\//, '').normalize('NFC').toLowerCase()),
	z.minLength(1, 'Enter a short name'),
	// Lower case and NFC can be longer than what was typed.
	z.maxLength(MAX_SHORTCUT_LENGTH, atMost(MAX_SHORTCUT_LENGTH)),
	z.regex(/^$|^[\p{L}\p{M}\p{N}_-]+$/u, 'Use only letters, digits, - and _'),
)

/** A saved reply to store, without its file. */
export const SavedReplyBody = z.object({
	shortcut: Shortcut,
	text: z._default(
		TrimmedText(MAX_TEXT_LENGTH).check(
			z.check<string>(({ value, issues }) => {
				const message = variableProblem(value)
				if (message) issues.push({ code: 'custom', input: value, message, continue: true })
			}),
		),
		'',
	),
})

const WEEK_WRONG = 'week has the seven days from Monday to Sunday'

/** Business hours in Indian time. */
export const BusinessHours = z.object({
	/**
	 * The seven days of the week, Monday first; null for a closed day. A time of closing at or before the opening is on the next
	 * day.
	 */
	week: z
		.array(z.nullable(z.object({ from: Clock, until: Clock })))
		.check(z.minLength(7, WEEK_WRONG), z.maxLength(7, WEEK_WRONG)),
	/** Days that are closed whatever their weekday, such as 2026-11-09. */
	closedDays: z
		.array(Text(10, { missing: CHOOSE_DAY }).check(z.iso.date(CHOOSE_DAY), z.regex(/^20/, CHOOSE_DAY)))
		.check(z.maxLength(MAX_CLOSED_DAYS, `At most ${MAX_CLOSED_DAYS} days are allowed`)),
})
export type BusinessHours = z.output<typeof BusinessHours>

/** Settings of all automatic replies. */
export const AutomaticSettings = z.object({
	/** False stops all automatic replies. */
	isOn: z.boolean('isOn is true or false'),
	/** Null while the account has not set its hours. Without them the away message is not sent. */
	hours: z.nullable(BusinessHours),
})
export type AutomaticSettings = z.output<typeof AutomaticSettings>

/** Settings to store; those that are not given keep their values. */
const GivenSettings = z.partial(AutomaticSettings)
export type GivenSettings = z.output<typeof GivenSettings>

/** Occasion of an automatic reply: one of its words, a message outside business hours, or a person's first message. */
const AutomaticKind = z.enum(['keyword', 'away', 'greeting'], 'kind is keyword, away or greeting')
export type AutomaticKind = z.output<typeof AutomaticKind>

/** An automatic reply to store. */
export const AutomaticBody = z.object({
	kind: AutomaticKind,
	/** Words or phrases of a keyword reply; empty for the other kinds. */
	phrases: z
		.array(Required('Enter a word, or remove it', MAX_PHRASE_LENGTH))
		.check(z.maxLength(MAX_PHRASES, `At most ${MAX_PHRASES} words are allowed`)),
	text: Required('Enter the text of the reply', MAX_TEXT_LENGTH),
	/** Maximum number of messages in a month of Indian time. */
	monthlyLimit: z
		.int('Enter a whole number')
		.check(z.gte(1, 'Enter at least 1'), z.lte(MAX_MONTHLY_LIMIT, `At most ${MAX_MONTHLY_LIMIT} are allowed`)),
})
export type AutomaticBody = z.output<typeof AutomaticBody>

const AutomaticReply = z.object({
	_id: RowId,
	...AutomaticBody.shape,
	/** Messages in this month. */
	sent: z.int(),
})
export type AutomaticReply = z.output<typeof AutomaticReply>

const OneReply = z.object({ id: Id })
const Saved = z.object({ message: z.string(), reply: SavedReply })

/** Calls about the saved and automatic replies of an account. */
export const replies = {
	/** Returns all saved replies, by short name. */
	saved: endpoint('GET /api/replies/saved', {
		access: 'agent',
		response: z.object({ replies: z.array(SavedReply) }),
	}),
	addSaved: endpoint('POST /api/replies/saved', {
		access: 'manager',
		body: SavedReplyBody,
		files: { file: ATTACHMENT_RULE },
		response: Saved,
	}),
	/** Changes a saved reply. A new file replaces the old one. Without a new one, the old one stays only if `keepsFile` is `true`. */
	changeSaved: endpoint('PUT /api/replies/saved/{id}', {
		access: 'manager',
		params: OneReply,
		body: z.extend(SavedReplyBody, { keepsFile: z.optional(z.enum(['true', 'false'])) }),
		files: { file: ATTACHMENT_RULE },
		response: Saved,
	}),
	/** Returns the file of a saved reply. */
	savedFile: endpoint('GET /api/replies/saved/{id}/file', {
		access: 'agent',
		params: OneReply,
		response: { file: 'application/octet-stream' },
	}),
	removeSaved: endpoint('DELETE /api/replies/saved/{id}', { access: 'manager', params: OneReply, response: Message }),
	/** Returns the settings and all automatic replies: greeting, away message, then keyword replies by age. */
	automatic: endpoint('GET /api/replies/automatic', {
		access: 'manager',
		response: z.object({ settings: AutomaticSettings, replies: z.array(AutomaticReply) }),
	}),
	saveAutomatic: endpoint('PUT /api/replies/automatic', {
		access: 'manager',
		body: GivenSettings,
		response: Message,
	}),
	addAutomatic: endpoint('POST /api/replies/automatic', { access: 'manager', body: AutomaticBody, response: Message }),
	changeAutomatic: endpoint('PUT /api/replies/automatic/{id}', {
		access: 'manager',
		params: OneReply,
		body: AutomaticBody,
		response: Message,
	}),
	removeAutomatic: endpoint('DELETE /api/replies/automatic/{id}', {
		access: 'manager',
		params: OneReply,
		response: Message,
	}),
}

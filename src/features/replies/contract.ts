import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Required, RowId, TrimmedText } from '#lib/fields.ts'
import { atMost } from '#lib/text/characters.ts'
import { ATTACHMENT_RULE, MAX_SHORTCUT_LENGTH, MAX_TEXT_LENGTH, variableProblem } from './rules.ts'

/** A text and a file that people insert into chats by a short name. */
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

const OneReply = z.object({ id: Id })
const Saved = z.object({ message: z.string(), reply: SavedReply })

/** Calls about the saved replies of an account. */
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
	/** Changes a saved reply. A new file replaces the old one; without one, `keepsFile` decides about it. */
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
}

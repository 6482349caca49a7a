import * as z from 'zod/mini'
import { ContactRow } from '#features/contacts/contract.ts'
import { MessageStatus } from '#features/delivery/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Required, RowId, Time } from '#lib/fields.ts'

/** Maximum notes about one customer. */
export const MAX_NOTES = 100
/** Maximum characters of a note. */
export const MAX_NOTE_LENGTH = 1000

/** A note about a customer, which the customer never sees. */
export const Note = z.object({
	_id: RowId,
	text: z.string(),
	createdAt: Time,
	/** Name of the person who wrote the note; null for a note from before notes had one, and in an account without colleagues. */
	author: z.nullable(z.string()),
})
export type Note = z.output<typeof Note>

export const NoteBody = z.object({ text: Required('Write a note', MAX_NOTE_LENGTH) })

/** A campaign that sent the customer a message, with the customer's latest message of it. */
export const CustomerCampaign = z.object({
	_id: RowId,
	name: z.string(),
	status: MessageStatus,
	/** Time when the message was sent; before that, when the campaign was created. */
	at: Time,
	/** Number of clicks on counted links of the message. */
	clicks: z.int(),
	hasReplied: z.boolean(),
})
export type CustomerCampaign = z.output<typeof CustomerCampaign>

/** Key of the customer's chat: the digits of the number, or the WhatsApp user id of a customer who hides it. */
const params = z.object({ number: Required('Please select a contact', 140) })

/** Calls about one customer, for the panel beside a chat. */
export const customers = {
	/** Returns the contact, the latest campaigns (at most 5) and the notes (the newest first, at most MAX_NOTES) of a customer. */
	get: endpoint('GET /api/customers/{number}', {
		access: 'agent',
		params,
		response: z.object({
			/** Null when the customer is not a contact. */
			contact: z.nullable(ContactRow),
			campaigns: z.array(CustomerCampaign),
			notes: z.array(Note),
		}),
	}),
	addNote: endpoint('POST /api/customers/{number}/notes', {
		access: 'agent',
		params,
		body: NoteBody,
		response: z.object({ message: z.string(), note: Note }),
	}),
	removeNote: endpoint('DELETE /api/customers/notes/{id}', {
		access: 'agent',
		params: z.object({ id: Id }),
		response: Message,
	}),
}

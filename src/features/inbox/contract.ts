import * as z from 'zod/mini'
import { MAX_NOTE_LENGTH } from '#features/customers/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, OptionalText, Required, RowId } from '#lib/fields.ts'

/** Key of a chat: the digits of the customer's number, or the business-scoped user id of a customer who hides it. */
export const ChatKey = Required('Please select a contact', 140)

const Named = z.object({ _id: RowId, name: z.string() })

/** The person who has a chat; null for an unassigned one. */
export const Assignee = z.nullable(Named)
export type Assignee = z.output<typeof Assignee>

/**
 * Number of chats in each view, counted up to `MAX_COUNTED`; null in an account of one person, who needs no views. A search or
 * filter does not change the counts.
 */
export const ViewCounts = z.nullable(z.object({ all: z.int(), mine: z.int(), unassigned: z.int(), closed: z.int() }))
export type ViewCounts = z.output<typeof ViewCounts>

/** A person's id; null for no assignee. */
const AssigneeId = z.nullable(Id)

/** Calls about who has a chat, and whether it is closed. */
export const inbox = {
	/** Returns the people who may have chats: the owner, and the colleagues who have accepted their invitations. */
	people: endpoint('GET /api/chats/people', {
		access: 'agent',
		response: z.object({ people: z.array(Named) }),
	}),
	/** Returns the `MAX_CAMPAIGNS` campaigns whose sending began last, by which the list of chats can be filtered. */
	campaigns: endpoint('GET /api/chats/campaigns', {
		access: 'agent',
		response: z.object({ campaigns: z.array(Named) }),
	}),
	/**
	 * Gives a chat to a person, or makes it unassigned, with a note for the new person. `from` is the assignee when the caller
	 * decided. Returns 409 with the name of the present assignee when the chat has another one by now.
	 */
	assign: endpoint('PUT /api/chats/assignee', {
		access: 'agent',
		body: z.object({ number: ChatKey, to: AssigneeId, from: AssigneeId, note: OptionalText(MAX_NOTE_LENGTH) }),
		response: Message,
	}),
	/** Closes a chat, or opens it again. Returns 409 for a chat with unread messages, which a person has to read first. */
	setClosed: endpoint('PUT /api/chats/closed', {
		access: 'agent',
		body: z.object({ number: ChatKey, isClosed: z.boolean('isClosed is true or false') }),
		response: Message,
	}),
	/** Tells the account's other browsers that the person types in a chat. Stores nothing. */
	typing: endpoint('POST /api/chats/typing', {
		access: 'agent',
		// Enough for an office of 20 people behind one address, each of whose browsers calls every three seconds.
		perMinute: 600,
		body: z.object({ number: ChatKey }),
		response: Message,
	}),
}

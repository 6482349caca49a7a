import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, OptionalText, Page, Search, Time } from '#lib/fields.ts'

const GroupRef = z.object({ _id: z.string(), name: z.string() })

export const ContactRow = z.object({
	_id: z.string(),
	firstName: z.string(),
	lastName: z.nullable(z.string()),
	number: z.string(),
	group: z.nullable(GroupRef),
	optedOut: z.boolean(),
	createdAt: Time,
})
export type ContactRow = z.output<typeof ContactRow>

export const GroupRow = z.object({
	_id: z.string(),
	name: z.string(),
	type: z.enum(['national', 'international']),
	description: z.nullable(z.string()),
	createdAt: Time,
})
export type GroupRow = z.output<typeof GroupRow>

const missing = 'First name and number are required'

/** The number's own rules are in `#lib/phone.ts`: here only that there is one. */
export const ContactBody = z.object({
	firstName: z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(100, 'First name is too long')),
	lastName: OptionalText(100),
	number: z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(40, 'Invalid phone number format')),
	group: z.optional(z.nullable(Id)),
})

export const contacts = {
	list: endpoint({
		method: 'GET',
		path: '/api/contacts',
		access: 'user',
		query: z.object({ page: Page, limit: Limit(10), search: Search, group: z.optional(Id) }),
		response: z.object({ contacts: z.array(ContactRow), page: z.int(), pages: z.int(), total: z.int() }),
	}),
	create: endpoint({
		method: 'POST',
		path: '/api/contacts',
		access: 'user',
		body: ContactBody,
		response: z.object({ message: z.string(), contact: ContactRow }),
	}),
	groups: endpoint({
		method: 'GET',
		path: '/api/contact-groups',
		access: 'user',
		query: z.object({ page: Page, limit: Limit(10), search: Search }),
		response: z.object({ contactGroups: z.array(GroupRow), page: z.int(), pages: z.int() }),
	}),
}

import * as z from 'zod/mini'
import { OptOutReason } from '#features/contacts/contract.ts'
import { Consent, ContactBody } from '#features/contacts/contract.ts'
import { TagName } from '#features/contacts/custom-fields.ts'
import { MAX_ROWS, NAME_AND_NUMBER_MISSING } from '#features/contacts/rules.ts'
import { StatementDay, StatementKind } from '#features/statements/contract.ts'
import { Component } from '#features/templates/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalText, Required, RowId, Text, Time } from '#lib/fields.ts'
import { formatCount } from '#lib/numbers.ts'
import { V1_DOCUMENT } from './paths.ts'
import { Amount, CURSOR_TEXT, Described, ListOf, MAX_LIST_BYTES, Paged } from './v1-fields.ts'
import { NumbersBesideFaults, PhoneNumber, TypedNumber } from './v1-number-fields.ts'

const one = { params: z.object({ id: Id }) } as const
const readsAccount = { access: 'key', scope: 'account:read' } as const
const readsTemplates = { access: 'key', scope: 'templates:read' } as const
const readsContacts = { access: 'key', scope: 'contacts:read', widerScope: 'contacts:write' } as const
const keepsContacts = { access: 'key', scope: 'contacts:write' } as const

const PriceAbroad = Described(z.nullable(Amount), 'Null where messages are blocked or have no price.')

const Template = z.object({
	id: RowId,
	name: z.string(),
	language: z.string(),
	status: Described(
		z.string(),
		'Only templates that are APPROVED can be sent. WhatsApp no longer has a template that is GONE.',
	),
	category: Described(z.string(), 'MARKETING, UTILITY or AUTHENTICATION: it decides the price.'),
	components: z.array(Component),
	values: Described(
		z.array(z.string()),
		'The names of the values that a message needs: var1 for {{1}} of the body, header1 for the header, url1 for the end of a link, code1 for a coupon code, card1_var1 for the first card, offer_ends for the end of an offer, location_latitude for a location.',
	),
})

const Contact = z.object({
	id: RowId,
	firstName: z.string(),
	lastName: z.nullable(z.string()),
	number: z.string(),
	groupId: z.nullable(RowId),
	optedOutAt: Described(z.nullable(Time), 'Since when the number receives no marketing; null while it does.'),
	tags: Described(z.array(z.string()), 'Names of the tags of the contact.'),
	fields: Described(
		z.record(z.string(), z.string()),
		'Values by the names of your custom fields, such as `1250.5`, `2026-11-25` or `yes`. Fields without a value are left out.',
	),
	createdAt: Time,
})

const Group = z.object({
	id: RowId,
	name: z.string(),
	type: z.enum(['national', 'international']),
	description: z.nullable(z.string()),
	contacts: Described(z.int(), 'Number of contacts in the group.'),
	createdAt: Time,
})

/** Cursor of a list by number. It is a number, or the WhatsApp id under which a person is stored. */
const NumberCursor = Described(z.optional(Text(140, { tooLong: 'Not a valid cursor' })), CURSOR_TEXT)

const { firstName, lastName, tags, fields } = ContactBody.shape
const NewContact = z.strictObject({
	firstName,
	lastName,
	number: TypedNumber({ missing: NAME_AND_NUMBER_MISSING }),
	tags,
	fields,
})

const upTo = z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} at once`)
const day = z.optional(StatementDay)

/** Calls of programs with an API key. Times are RFC 3339 in UTC, ids are texts. */
export const v1 = {
	description: endpoint(`GET ${V1_DOCUMENT}`, {
		access: 'public',
		query: z.strictObject({}),
		summary: 'Read this document',
		description: 'The whole API as an OpenAPI 3.1 document, for generators of clients.',
		response: z.record(z.string(), z.unknown()),
	}),
	balance: endpoint('GET /v1/balance', {
		...readsAccount,
		summary: 'Read the balance',
		description: 'The available money, the money on hold, and the present price of a message.',
		response: z.object({
			available: Described(Amount, 'What new messages can be paid from.'),
			held: Described(Amount, 'Set aside for messages that are not sent yet.'),
			prices: Described(
				z.object({
					marketing: Amount,
					utility: Amount,
					authentication: Amount,
					service: Described(Amount, 'Price of a reply in a chat that WhatsApp charges.'),
					abroad: Described(
						z.array(
							z.object({
								market: Described(z.string(), 'A country as its two letters, or a group of countries.'),
								name: z.string(),
								marketing: PriceAbroad,
								utility: PriceAbroad,
								authentication: PriceAbroad,
								service: PriceAbroad,
							}),
						),
						'Prices in other countries than India. Empty while all are the same as in India.',
					),
				}),
				'Prices of one message that is ordered now, in India and abroad.',
			),
		}),
	}),
	statement: endpoint('GET /v1/statement', {
		...readsAccount,
		summary: 'Read the statement',
		description:
			'The lines of the statement, newest first: recharges, and the holds, charges, releases and refunds of campaigns and messages.',
		query: z.strictObject({
			...Paged,
			kind: z.optional(StatementKind),
			from: Described(day, 'The first day, by Indian time, such as 2026-11-23.'),
			to: Described(day, 'The last day.'),
		}),
		response: ListOf(
			z.object({
				id: RowId,
				time: Time,
				kind: StatementKind,
				campaign: z.nullable(z.object({ id: RowId, name: z.string() })),
				messageCount: z.nullable(z.int()),
				availableChange: Amount,
				heldChange: Amount,
				available: Amount,
				held: Amount,
			}),
		),
	}),
	templates: endpoint('GET /v1/templates', {
		...readsTemplates,
		summary: 'List templates',
		description: 'The templates of your account, the oldest first, with the values that a message needs.',
		query: z.strictObject(Paged),
		response: ListOf(Template),
	}),
	template: endpoint('GET /v1/templates/{id}', {
		...readsTemplates,
		...one,
		summary: 'Read a template',
		description: 'One template.',
		response: Template,
	}),
	contacts: endpoint('GET /v1/contacts', {
		...readsContacts,
		summary: 'List contacts',
		description: 'Contacts, the oldest first: all, or those of a group or with a tag.',
		errors: ['not_found'],
		query: z.strictObject({
			...Paged,
			group: z.optional(Id),
			tag: Described(z.optional(TagName), 'Name of a tag. Capital and small letters are equal.'),
		}),
		response: ListOf(Contact),
	}),
	upsertContacts: endpoint('POST /v1/contacts', {
		...keepsContacts,
		effort: 'heavy',
		maxBytes: MAX_LIST_BYTES,
		summary: 'Add or update contacts',
		description:
			'Adds up to 5,000 contacts, and updates names, tags and fields of contacts whose number your account already has. Saves all of them, or none and returns a 422 that names every fault. Repeating the request changes nothing more. `tags` replaces all tags of a contact, and new tags are created; you create fields in the app. `consent` says where and when these people agreed to get messages.',
		errors: ['not_found', 'conflict'],
		body: z
			.strictObject({
				contacts: z.array(NewContact).check(z.minLength(1, 'Send at least one contact'), upTo),
				group: Described(
					z.optional(Id),
					'All contacts move into this group. Without it, existing contacts stay in their group.',
				),
				consent: z.optional(z.strictObject(Consent.shape)),
			})
			.check(NumbersBesideFaults({ list: 'contacts', field: 'number' })),
		response: z.object({ added: z.int(), updated: z.int() }),
	}),
	deleteContact: endpoint('DELETE /v1/contacts/{id}', {
		...keepsContacts,
		...one,
		summary: 'Delete a contact',
		description: 'Deletes a contact. An opt-out of its number remains.',
		response: z.object({ id: RowId }),
	}),
	groups: endpoint('GET /v1/groups', {
		...readsContacts,
		summary: 'List groups',
		description: 'Groups of contacts, the oldest first.',
		query: z.strictObject(Paged),
		response: ListOf(Group),
	}),
	createGroup: endpoint('POST /v1/groups', {
		...keepsContacts,
		status: 201,
		summary: 'Create a group',
		description: 'Creates a group of contacts.',
		errors: ['conflict'],
		body: z.strictObject({
			name: Required('Name is required', 100),
			type: z._default(z.enum(['national', 'international']), 'national'),
			description: OptionalText(500),
		}),
		response: Group,
	}),
	deleteGroup: endpoint('DELETE /v1/groups/{id}', {
		...keepsContacts,
		...one,
		summary: 'Delete a group',
		description: 'Deletes a group. Its contacts remain, without a group.',
		response: z.object({ id: RowId }),
	}),
	optOuts: endpoint('GET /v1/opt-outs', {
		...readsContacts,
		summary: 'List opt-outs',
		description: 'Numbers that have opted out of marketing, whether they are contacts or not, in ascending order.',
		query: z.strictObject({ ...Paged, cursor: NumberCursor }),
		response: ListOf(z.object({ number: z.string(), since: Time, because: OptOutReason })),
	}),
	setOptOuts: endpoint('POST /v1/opt-outs', {
		...keepsContacts,
		effort: 'heavy',
		summary: 'Opt numbers out, or back in',
		description:
			'Opts up to 5,000 numbers out of marketing, or back in. Changes all of them, or none and returns a 422. Repeating the request changes nothing more.',
		body: z.strictObject({
			numbers: z.array(PhoneNumber).check(z.minLength(1, 'Send at least one number'), upTo),
			optedOut: Described(z.boolean(), 'True: no marketing from now on. False: marketing again.'),
		}),
		response: z.object({ changed: Described(z.int(), 'Numbers that were not in this state before.') }),
	}),
}

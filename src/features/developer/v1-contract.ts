import * as z from 'zod/mini'
import { OptOutReason } from '#features/contacts/contract.ts'
import { Consent, ContactBody, MAX_NUMBER_LENGTH } from '#features/contacts/form-fields.ts'
import { MAX_ROWS, NUMBER_INVALID } from '#features/contacts/rules.ts'
import { StatementKind, statements } from '#features/statements/contract.ts'
import { Component } from '#features/templates/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalText, Required, RowId, Text, Time } from '#lib/fields.ts'
import { formatCount } from '#lib/numbers.ts'
import { Amount, ListOf, Paged } from './v1-fields.ts'

const one = { params: z.object({ id: Id }) } as const
const readsAccount = { access: 'key', scope: 'account:read' } as const
const readsTemplates = { access: 'key', scope: 'templates:read' } as const
const keepsContacts = { access: 'key', scope: 'contacts:write' } as const

const Template = z.object({
	id: RowId,
	name: z.string(),
	language: z.string(),
	/** Only APPROVED ones can be sent. */
	status: z.string(),
	category: z.string(),
	components: z.array(Component),
	/** The names of the values that a message with it needs. */
	values: z.array(z.string()),
})

const Contact = z.object({
	id: RowId,
	firstName: z.string(),
	lastName: z.nullable(z.string()),
	number: z.string(),
	groupId: z.nullable(RowId),
	optedOutAt: z.nullable(Time),
	createdAt: Time,
})

const Group = z.object({
	id: RowId,
	name: z.string(),
	type: z.enum(['national', 'international']),
	description: z.nullable(z.string()),
	contacts: z.int(),
	createdAt: Time,
})

const upTo = z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} at once`)
const { kind, from, to } = statements.list.query.shape

/** What programs call with an API key. Times are RFC 3339 in UTC, ids are texts. */
export const v1 = {
	description: endpoint('GET /v1/openapi.json', {
		access: 'public',
		summary: 'This API as an OpenAPI 3.1 document',
		response: z.record(z.string(), z.unknown()),
	}),
	balance: endpoint('GET /v1/balance', {
		...readsAccount,
		summary: 'What the wallet has, what is set aside for messages that are not sent yet, and what a message costs',
		response: z.object({
			available: Amount,
			held: Amount,
			prices: z.object({ marketing: Amount, utility: Amount }),
		}),
	}),
	statement: endpoint('GET /v1/statement', {
		...readsAccount,
		summary: 'The lines of the wallet, the newest first; days are Indian ones',
		query: z.object({ ...Paged, kind, from, to }),
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
		summary: 'Templates, the oldest first',
		query: z.object(Paged),
		response: ListOf(Template),
	}),
	template: endpoint('GET /v1/templates/{id}', {
		...readsTemplates,
		...one,
		summary: 'One template',
		response: Template,
	}),
	contacts: endpoint('GET /v1/contacts', {
		...keepsContacts,
		summary: 'Contacts, the oldest first, of one group or all',
		query: z.object({ ...Paged, group: z.optional(Id) }),
		response: ListOf(Contact),
	}),
	upsertContacts: endpoint('POST /v1/contacts', {
		...keepsContacts,
		effort: 'heavy',
		summary: 'Adds contacts, and renames those whose number the account has: all of them, or none',
		body: z.object({
			contacts: z
				.array(z.omit(ContactBody, { group: true, consent: true }))
				.check(z.minLength(1, 'Send at least one contact'), upTo),
			/** All of them move into it; left out, those that are there stay in theirs. */
			group: z.optional(Id),
			consent: z.optional(Consent),
		}),
		response: z.object({ added: z.int(), updated: z.int() }),
	}),
	deleteContact: endpoint('DELETE /v1/contacts/{id}', {
		...keepsContacts,
		...one,
		summary: 'Deletes a contact. Whether its number has opted out stays known',
		response: z.object({ id: RowId }),
	}),
	groups: endpoint('GET /v1/groups', {
		...keepsContacts,
		summary: 'Groups of contacts, the oldest first',
		query: z.object(Paged),
		response: ListOf(Group),
	}),
	createGroup: endpoint('POST /v1/groups', {
		...keepsContacts,
		status: 201,
		isRepeatable: true,
		summary: 'Creates a group',
		body: z.object({
			name: Required('Name is required', 100),
			type: z._default(z.enum(['national', 'international']), 'national'),
			description: OptionalText(500),
		}),
		response: Group,
	}),
	deleteGroup: endpoint('DELETE /v1/groups/{id}', {
		...keepsContacts,
		...one,
		summary: 'Deletes a group. Its contacts stay, without group',
		response: z.object({ id: RowId }),
	}),
	optOuts: endpoint('GET /v1/opt-outs', {
		...keepsContacts,
		summary: 'Numbers that receive no marketing; who opted out last comes first',
		query: z.object(Paged),
		response: ListOf(z.object({ number: z.string(), since: Time, because: OptOutReason })),
	}),
	setOptOuts: endpoint('POST /v1/opt-outs', {
		...keepsContacts,
		effort: 'heavy',
		summary: 'Opts numbers out of marketing, or back in: all of them, or none',
		body: z.object({
			numbers: z
				.array(Text(MAX_NUMBER_LENGTH, { tooLong: NUMBER_INVALID }))
				.check(z.minLength(1, 'Send at least one number'), upTo),
			optedOut: z.boolean(),
		}),
		response: z.object({ changed: z.int() }),
	}),
}

import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, Message, OptionalId, OptionalText, Required, RowId, SortedBy, Text, Time } from '#lib/fields.ts'
import { formatCount } from '#lib/numbers.ts'
import { WORKBOOK_ENDINGS, WORKBOOK_TYPES } from '#lib/workbook-files.ts'
import { BulkRow, Consent, ContactBody, MAX_NUMBER_LENGTH } from './form-fields.ts'
import { CONTACT_SORTS, Filter, GROUP_SORTS, MatchingContacts, oneOfBoth, WhichContacts } from './list-contract.ts'
import { MAX_FIELDS, TagName, Tags } from './own-fields.ts'
import { MAX_ROWS, NUMBER_INVALID } from './rules.ts'

const GroupRef = z.object({ _id: RowId, name: z.string() })

/** Why a recipient is left out of marketing: they replied so, set so in WhatsApp, the network said so, or by hand. */
export const OptOutReason = z.enum(['reply', 'preference', 'network', 'manual'])
export type OptOutReason = z.output<typeof OptOutReason>

export const ContactRow = z.object({
	_id: RowId,
	firstName: z.string(),
	lastName: z.nullable(z.string()),
	number: z.string(),
	group: z.nullable(GroupRef),
	optedOut: z.boolean(),
	optedOutAt: z.nullable(Time),
	optedOutBecause: z.nullable(OptOutReason),
	/** Where, with which words and when the person agreed to be written to, where that was noted. */
	consent: z.nullable(z.object({ source: z.string(), words: z.string(), agreedOn: z.string() })),
	tags: z.array(z.string()),
	/** By the names of the account's own fields: 1250.5, 2026-11-25, yes. Those without a value are left out. */
	fields: z.record(z.string(), z.string()),
	createdAt: Time,
})
export type ContactRow = z.output<typeof ContactRow>

/** Of one contact, and of one call that brings many, with all that they may have. */
const MAX_CONTACT_BYTES = 100_000
export const MAX_UPLOAD_BYTES = 16 * 1024 * 1024

const GROUP_TYPES = ['national', 'international'] as const

export const GroupRow = z.object({
	_id: RowId,
	name: z.string(),
	type: z.enum(GROUP_TYPES),
	description: z.nullable(z.string()),
	/** How many contacts are in it. */
	contacts: z.int(),
	createdAt: Time,
})
export type GroupRow = z.output<typeof GroupRow>

export const GroupBody = z.object({
	name: Required('Name and type are required', 100),
	type: z.enum(GROUP_TYPES, 'Name and type are required'),
	description: OptionalText(500),
})

const upToMaxRows = [z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} at once`)] as const
const Numbers = z.array(Text(MAX_NUMBER_LENGTH, { tooLong: NUMBER_INVALID })).check(...upToMaxRows)
const one = z.object({ id: Id })
const saved = z.object({ message: z.string(), contact: ContactRow })

/** Reads well in the order of their writing: the ones that take away come last. */
export const contacts = {
	list: endpoint('GET /api/contacts', {
		access: 'user',
		query: z.object({ ...ListQuery, ...Filter, ...SortedBy(CONTACT_SORTS, 'added') }),
		response: z.object({
			contacts: z.array(ContactRow),
			/** What they are ordered by: too many to be ordered in time come with the latest first, whatever was asked for. */
			sort: z.enum(CONTACT_SORTS),
			order: z.enum(['asc', 'desc']),
			page: z.int(),
			pages: z.int(),
			total: z.int(),
			/** There are more than `total`: a search counts only somewhat further than the page that it shows. */
			hasMore: z.boolean(),
		}),
	}),
	latest: endpoint('GET /api/contacts/latest', {
		access: 'user',
		response: z.object({ contacts: z.array(ContactRow) }),
	}),
	create: endpoint('POST /api/contacts', {
		access: 'user',
		body: ContactBody,
		maxBytes: MAX_CONTACT_BYTES,
		response: saved,
	}),
	addMany: endpoint('POST /api/contacts/bulk', {
		effort: 'heavy',
		maxBytes: MAX_UPLOAD_BYTES,
		access: 'user',
		body: z.object({
			contacts: z
				.array(BulkRow, 'No valid contacts found in CSV')
				.check(
					z.minLength(1, 'No valid contacts found in CSV'),
					z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} contacts can be sent at once`),
				),
			group: z.optional(z.nullable(OptionalId)),
			/** The ids of the fields that the rows have values for, in their order. */
			fields: z._default(z.array(Id).check(z.maxLength(MAX_FIELDS)), []),
			/** Of all of them, besides what their rows say. */
			tags: z._default(Tags, []),
			/** Of all of them, also of those that the account has. Of two, the later one is kept. */
			consent: z.optional(z.nullable(Consent)),
			/** Gives contacts that the account has the names, group, tags and values of their rows; else they are left as they are. */
			update: z._default(z.boolean(), false),
		}),
		response: z.object({
			message: z.string(),
			/** What `rejected` and `leftOut` say, each with the number or name of its row, in the order of the rows. */
			errors: z.array(z.string()),
			savedContacts: z.int(),
			/** Numbers that the account has, or that came twice. */
			existingContacts: z.int(),
			/** How many of those that changed. */
			updatedContacts: z.int(),
			/** Values that are none of their field's type, or that no field is named for: they were left out. */
			skippedValues: z.int(),
			/** How many numbers the rows have opted out of marketing. */
			optedOutContacts: z.int(),
			/** Rows that were not taken, by their place in the call. */
			rejected: z.array(z.object({ index: z.int(), reason: z.string() })),
			/** Rows that were taken without all of their tags or values, by their place in the call. */
			leftOut: z.array(z.object({ index: z.int(), reason: z.string() })),
		}),
	}),
	/** Which of these numbers the account has, by their place in the call. */
	known: endpoint('POST /api/contacts/known', {
		effort: 'heavy',
		access: 'user',
		body: z.object({ numbers: Numbers }),
		response: z.object({ known: z.array(z.int()) }),
	}),
	/**
	 * Turns an Excel file into the CSV that its first sheet with something in it would be saved as. The header `x-hidden` counts
	 * the rows and columns that are hidden in it, as `3,1`; they are empty unless `withHidden` is true.
	 */
	readSpreadsheet: endpoint('POST /api/contacts/spreadsheet', {
		effort: 'long',
		access: 'user',
		body: z.object({ withHidden: z.optional(z.enum(['true', 'false'])) }),
		files: { file: { maxBytes: 50 * 1024 * 1024, types: Object.keys(WORKBOOK_TYPES), endings: WORKBOOK_ENDINGS } },
		response: { file: 'text/csv' },
	}),
	sampleCsv: endpoint('GET /api/contacts/sample-csv', { access: 'user', response: { file: 'text/csv' } }),
	exportCsv: endpoint('GET /api/contacts/export', {
		effort: 'export',
		access: 'user',
		query: z.object(Filter),
		response: { file: 'text/csv' },
	}),
	/** Exactly how many contacts a search and a group find; the list counts only somewhat further than it shows. */
	count: endpoint('GET /api/contacts/count', {
		effort: 'heavy',
		access: 'user',
		query: z.object(Filter),
		response: z.object({ total: z.int() }),
	}),
	/** Moves contacts to a group, or out of theirs. */
	move: endpoint('POST /api/contacts/move', {
		effort: 'heavy',
		access: 'user',
		body: z.object({ ...WhichContacts, group: z.nullable(Id) }).check(oneOfBoth),
		response: Message,
	}),
	/** Gives contacts a tag, which is made where the account does not have it, or takes it from them. */
	tag: endpoint('POST /api/contacts/tag', {
		effort: 'heavy',
		access: 'user',
		body: z.object({ ...WhichContacts, tag: TagName, isAdded: z.boolean() }).check(oneOfBoth),
		response: Message,
	}),
	removeMany: endpoint('POST /api/contacts/delete', {
		effort: 'heavy',
		access: 'user',
		body: z.object(WhichContacts).check(oneOfBoth),
		response: Message,
	}),
	setOptOut: endpoint('PUT /api/contacts/{id}/opt-out', {
		access: 'user',
		params: one,
		body: z.object({ optedOut: z.boolean() }),
		response: saved,
	}),
	/** Opts numbers or contacts out of marketing, or back in. A number need not be in any contact. */
	setOptOuts: endpoint('POST /api/contacts/opt-outs', {
		effort: 'heavy',
		access: 'user',
		body: z
			.object({
				numbers: z._default(Numbers, []),
				ids: z._default(z.array(Id).check(...upToMaxRows), []),
				/** Alone, without numbers and ids. */
				matching: z.optional(MatchingContacts),
				optedOut: z.boolean(),
			})
			.check(
				z.refine(
					({ numbers, ids, matching }) => numbers.length + ids.length > 0 !== (matching !== undefined),
					'Choose at least one contact or enter a number',
				),
			),
		response: z.object({
			message: z.string(),
			/** How many that changes: some were so before. */
			changed: z.int(),
			/** What is no phone number. */
			rejected: z.array(z.string()),
		}),
	}),
	/** Who receives no marketing, in contacts or not; who opted out last comes first. */
	optedOut: endpoint('GET /api/contacts/opt-outs', {
		access: 'user',
		query: z.object(ListQuery),
		response: z.object({
			optedOut: z.array(
				z.object({
					number: z.string(),
					/** Null for a number that is in no contact. */
					contactId: z.nullable(RowId),
					name: z.nullable(z.string()),
					since: Time,
					because: OptOutReason,
				}),
			),
			total: z.int(),
			page: z.int(),
			pages: z.int(),
		}),
	}),
	/** Each time the contact's number opted out, and each time that was undone, by hand alone; the latest first, at most 100. */
	optOuts: endpoint('GET /api/contacts/{id}/opt-outs', {
		access: 'user',
		params: one,
		response: z.object({
			changes: z.array(z.object({ optedOut: z.boolean(), because: OptOutReason, changedAt: Time })),
		}),
	}),
	update: endpoint('PUT /api/contacts/{id}', {
		access: 'user',
		params: one,
		body: ContactBody,
		maxBytes: MAX_CONTACT_BYTES,
		response: saved,
	}),
	remove: endpoint('DELETE /api/contacts/{id}', { access: 'user', params: one, response: Message }),
	groups: endpoint('GET /api/contact-groups', {
		access: 'user',
		query: z.object({ ...ListQuery, ...SortedBy(GROUP_SORTS, 'createdAt') }),
		response: z.object({ contactGroups: z.array(GroupRow), page: z.int(), pages: z.int() }),
	}),
}

const savedGroup = z.object({ message: z.string(), contactGroup: GroupRow })

export const contactGroups = {
	create: endpoint('POST /api/contact-groups', { access: 'user', body: GroupBody, response: savedGroup }),
	update: endpoint('PUT /api/contact-groups/{id}', {
		access: 'user',
		params: one,
		body: GroupBody,
		response: savedGroup,
	}),
	/** Its contacts stay, without group. */
	remove: endpoint('DELETE /api/contact-groups/{id}', { access: 'user', params: one, response: Message }),
}

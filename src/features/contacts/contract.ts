import * as z from 'zod/mini'
import { indianDay } from '#lib/dates.ts'
import { endpoint } from '#lib/endpoint.ts'
import {
	Id,
	ListQuery,
	Message,
	OptionalId,
	OptionalText,
	Required,
	RowId,
	SortedBy,
	Text,
	Time,
	TrimmedText,
} from '#lib/fields.ts'
import { WORKBOOK_ENDINGS, WORKBOOK_TYPES } from '#lib/files/workbook-files.ts'
import { formatCount } from '#lib/numbers.ts'
import { BulkResult, BulkRow } from './bulk-contract.ts'
import { FieldValues, MAX_FIELDS, TagName, Tags } from './custom-fields.ts'
import { GroupRow } from './group-contract.ts'
import { CONTACT_SORTS, Filter, GROUP_SORTS, MatchingContacts, oneOfBoth, WhichContacts } from './list-contract.ts'
import {
	MAX_CONTACT_BYTES,
	MAX_NAME_LENGTH,
	MAX_NUMBER_LENGTH,
	MAX_ROWS,
	MAX_UPLOAD_BYTES,
	NAME_AND_NUMBER_MISSING,
	NUMBER_INVALID,
} from './rules.ts'

const GroupRef = z.object({ _id: RowId, name: z.string() })

/**
 * Source of an opt-out: a reply of the recipient, the recipient's preference in WhatsApp, the network (`network`), the
 * account by hand (`manual`), or the phone app, whose contacts have not agreed to marketing.
 */
export const OptOutReason = z.enum(['reply', 'preference', 'network', 'manual', 'phone_app'])
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
	/** Proof of the person's consent: place, wording and Indian day. Null when no consent is recorded. */
	consent: z.nullable(z.object({ source: z.string(), words: z.string(), agreedOn: z.string() })),
	tags: z.array(z.string()),
	/**
	 * Values by the names of the account's custom fields, such as 1250.5, 2026-11-25 or yes. Fields without a value are
	 * left out.
	 */
	fields: z.record(z.string(), z.string()),
	createdAt: Time,
})
export type ContactRow = z.output<typeof ContactRow>

const DAY_WRONG = 'Choose the day when they agreed: today, or one before'

/** Proof that people agreed to receive messages: place, wording and day. */
export const Consent = z.object({
	source: Required('Say where they agreed', 100),
	words: Required('Paste the text they agreed to', 500),
	/** Indian day, such as 2026-11-21. */
	agreedOn: Text(10, { missing: DAY_WRONG, tooLong: DAY_WRONG }).check(
		z.iso.date({ error: DAY_WRONG, abort: true }),
		z.refine((day) => day >= '2000-01-01' && day <= indianDay(Date.now()), DAY_WRONG),
	),
})
export type Consent = z.output<typeof Consent>

const missing = NAME_AND_NUMBER_MISSING

/** A contact as typed in a form. `#lib/phone/phone-reader.ts` parses the number. */
export const ContactBody = z.object({
	firstName: TrimmedText(MAX_NAME_LENGTH, { missing, tooLong: 'First name is too long' }).check(
		z.minLength(1, missing),
	),
	lastName: OptionalText(MAX_NAME_LENGTH),
	number: TrimmedText(MAX_NUMBER_LENGTH, { missing, tooLong: NUMBER_INVALID }).check(z.minLength(1, missing)),
	group: z.optional(z.nullable(OptionalId)),
	/** An absent value keeps the stored consent; null deletes it. */
	consent: z.optional(z.nullable(Consent)),
	/** The contact's complete list of tags. An absent list keeps the stored tags. */
	tags: z.optional(Tags),
	/** Values to change; fields that are left out keep their values. */
	fields: z.optional(FieldValues),
})

const upToMaxRows = [z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} at once`)] as const
const Numbers = z.array(Text(MAX_NUMBER_LENGTH, { tooLong: NUMBER_INVALID })).check(...upToMaxRows)
const one = z.object({ id: Id })
const saved = z.object({ message: z.string(), contact: ContactRow })

/** Endpoints of contacts and of their opt-outs. */
export const contacts = {
	list: endpoint('GET /api/contacts', {
		access: 'manager',
		query: z.object({ ...ListQuery, ...Filter, ...SortedBy(CONTACT_SORTS, 'added') }),
		response: z.object({
			contacts: z.array(ContactRow),
			/** Actual order of the list. Lists too long to sort in time fall back to the newest first. */
			sort: z.enum(CONTACT_SORTS),
			order: z.enum(['asc', 'desc']),
			page: z.int(),
			pages: z.int(),
			total: z.int(),
			/** True when more contacts match than `total`: a search counts only a few pages past the current one. */
			hasMore: z.boolean(),
		}),
	}),
	latest: endpoint('GET /api/contacts/latest', {
		access: 'manager',
		response: z.object({ contacts: z.array(ContactRow) }),
	}),
	create: endpoint('POST /api/contacts', {
		access: 'manager',
		body: ContactBody,
		maxBytes: MAX_CONTACT_BYTES,
		response: saved,
	}),
	addMany: endpoint('POST /api/contacts/bulk', {
		effort: 'heavy',
		maxBytes: MAX_UPLOAD_BYTES,
		access: 'manager',
		body: z.object({
			contacts: z
				.array(BulkRow, 'No valid contacts found in CSV')
				.check(
					z.minLength(1, 'No valid contacts found in CSV'),
					z.maxLength(MAX_ROWS, `At most ${formatCount(MAX_ROWS)} contacts can be sent at once`),
				),
			group: z.optional(z.nullable(OptionalId)),
			/** Ids of the fields that the rows have values for, in the order of the values. */
			fields: z._default(z.array(Id).check(z.maxLength(MAX_FIELDS)), []),
			/** Tags added to all rows, besides each row's own tags. */
			tags: z._default(Tags, []),
			/**
			 * Consent for all contacts of the call, including existing ones. An existing contact keeps the later of two
			 * consents.
			 */
			consent: z.optional(z.nullable(Consent)),
			/**
			 * Updates existing contacts with the names, group, tags and values of their rows; false leaves existing
			 * contacts unchanged.
			 */
			update: z._default(z.boolean(), false),
		}),
		response: BulkResult,
	}),
	/** Returns the indexes of the given numbers that are contacts of the account. */
	known: endpoint('POST /api/contacts/known', {
		effort: 'heavy',
		access: 'manager',
		body: z.object({ numbers: Numbers }),
		response: z.object({ known: z.array(z.int()) }),
	}),
	/**
	 * Converts an Excel file to CSV: its first sheet that is not empty. The header `x-hidden` counts the sheet's hidden
	 * rows and columns, as `3,1`; their cells are empty unless `withHidden` is true.
	 */
	readSpreadsheet: endpoint('POST /api/contacts/spreadsheet', {
		effort: 'long',
		access: 'manager',
		body: z.object({ withHidden: z.optional(z.enum(['true', 'false'])) }),
		files: { file: { maxBytes: 50 * 1024 * 1024, types: Object.keys(WORKBOOK_TYPES), endings: WORKBOOK_ENDINGS } },
		response: { file: 'text/csv' },
	}),
	sampleCsv: endpoint('GET /api/contacts/sample-csv', { access: 'manager', response: { file: 'text/csv' } }),
	exportCsv: endpoint('GET /api/contacts/export', {
		effort: 'export',
		access: 'manager',
		query: z.object(Filter),
		response: { file: 'text/csv' },
	}),
	/**
	 * Returns the exact number of contacts that match a search and filters; the list counts only a few pages past the
	 * current one.
	 */
	count: endpoint('GET /api/contacts/count', {
		effort: 'heavy',
		access: 'manager',
		query: z.object(Filter),
		response: z.object({ total: z.int() }),
	}),
	/** Moves contacts to a group; null removes them from their groups. */
	move: endpoint('POST /api/contacts/move', {
		effort: 'heavy',
		access: 'manager',
		body: z.object({ ...WhichContacts, group: z.nullable(Id) }).check(oneOfBoth),
		response: Message,
	}),
	/** Adds a tag to contacts or removes it. Creates the tag when the account does not have it. */
	tag: endpoint('POST /api/contacts/tag', {
		effort: 'heavy',
		access: 'manager',
		body: z.object({ ...WhichContacts, tag: TagName, isAdded: z.boolean() }).check(oneOfBoth),
		response: Message,
	}),
	removeMany: endpoint('POST /api/contacts/delete', {
		effort: 'heavy',
		access: 'manager',
		body: z.object(WhichContacts).check(oneOfBoth),
		response: Message,
	}),
	setOptOut: endpoint('PUT /api/contacts/{id}/opt-out', {
		access: 'manager',
		params: one,
		body: z.object({ optedOut: z.boolean() }),
		response: saved,
	}),
	/** Opts numbers or contacts out of marketing, or back in. The numbers need not be contacts. */
	setOptOuts: endpoint('POST /api/contacts/opt-outs', {
		effort: 'heavy',
		access: 'manager',
		body: z
			.object({
				numbers: z._default(Numbers, []),
				ids: z._default(z.array(Id).check(...upToMaxRows), []),
				/** All contacts that match a filter. Cannot be combined with `numbers` or `ids`. */
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
			/** Number of phone numbers whose opt-out changed. */
			changed: z.int(),
			/** Texts that are not phone numbers. */
			rejected: z.array(z.string()),
		}),
	}),
	/** Lists the numbers that are opted out of marketing, contacts or not, the latest opt-out first. */
	optedOut: endpoint('GET /api/contacts/opt-outs', {
		access: 'manager',
		query: z.object(ListQuery),
		response: z.object({
			optedOut: z.array(
				z.object({
					number: z.string(),
					/** Null when the number is not a contact. */
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
	/**
	 * Lists when the contact's number opted out, and when it was opted in again by hand: at most 100 changes, the
	 * latest first.
	 */
	optOuts: endpoint('GET /api/contacts/{id}/opt-outs', {
		access: 'manager',
		params: one,
		response: z.object({
			changes: z.array(z.object({ optedOut: z.boolean(), because: OptOutReason, changedAt: Time })),
		}),
	}),
	update: endpoint('PUT /api/contacts/{id}', {
		access: 'manager',
		params: one,
		body: ContactBody,
		maxBytes: MAX_CONTACT_BYTES,
		response: saved,
	}),
	remove: endpoint('DELETE /api/contacts/{id}', { access: 'manager', params: one, response: Message }),
	groups: endpoint('GET /api/contact-groups', {
		access: 'manager',
		query: z.object({ ...ListQuery, ...SortedBy(GROUP_SORTS, 'createdAt') }),
		response: z.object({ contactGroups: z.array(GroupRow), page: z.int(), pages: z.int() }),
	}),
}

import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { ContactRow } from '#features/contacts/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, Page, Required, RowId, Time } from '#lib/fields.ts'

const OfPerson = z.object({ number: Required('Enter a phone number', 200) })

/** Numbers of records about a person, now or at the time of the erasure. */
export const HeldCounts = z.object({
	contacts: z.int(),
	/** Zero in requests from before consents were counted. */
	consents: z._default(z.int(), 0),
	chatMessages: z.int(),
	files: z.int(),
	campaignMessages: z.int(),
	/** Notes about the person. Zero in requests from before notes existed. */
	notes: z._default(z.int(), 0),
})
export type HeldCounts = z.output<typeof HeldCounts>

export const PrivacyRequest = z.object({
	_id: RowId,
	kind: z.enum(['download', 'erasure']),
	/** Name of the user who made the request. */
	user: z.string(),
	counts: HeldCounts,
	/** Keyed hash of the number; equal for equal numbers. */
	hash: z.string(),
	requestedAt: Time,
})
export type PrivacyRequest = z.output<typeof PrivacyRequest>

export const DeletedAccountBody = z.object(proof)

/** Calls about an account's data about one person, found by number. */
export const privacy = {
	person: endpoint('GET /api/privacy/person', {
		access: 'manager',
		query: OfPerson,
		response: z.object({
			number: z.string(),
			/** Name in contacts, otherwise the person's WhatsApp profile name. */
			name: z.nullable(z.string()),
			counts: HeldCounts,
			consent: ContactRow.shape.consent,
			isOptedOut: z.boolean(),
			/** True when the person was erased before; the current data has arrived since. */
			isErased: z.boolean(),
		}),
	}),
	/** Downloads all data of a person as JSON. */
	download: endpoint('GET /api/privacy/person/download', {
		effort: 'export',
		access: 'manager',
		query: OfPerson,
		response: { file: 'application/json' },
	}),
	/** Erases a person permanently. Records that money depends on remain, without number, name and values. */
	erase: endpoint('POST /api/privacy/person/erase', {
		effort: 'heavy',
		access: 'manager',
		body: OfPerson,
		response: z.object({ message: z.string(), counts: HeldCounts }),
	}),
	/** Downloads all data of the caller's own account as a zip. */
	account: endpoint('GET /api/privacy/account/{userId}', {
		effort: 'export',
		access: 'admin-or-owner',
		params: z.object({ userId: Id }),
		response: { file: 'application/zip' },
	}),
	/**
	 * Downloads all data of a deleted user's account as a zip, after a proof of the admin's identity, and mails the user's
	 * former address. Returns 403 for an account that is not deleted, which only its own user can download.
	 */
	deletedAccount: endpoint('POST /api/privacy/account/{userId}/download', {
		effort: 'export',
		access: 'admin',
		perMinute: 30,
		params: z.object({ userId: Id }),
		body: DeletedAccountBody,
		response: { file: 'application/zip' },
	}),
	/** Returns requests, newest first. */
	requests: endpoint('GET /api/privacy/requests', {
		access: 'manager',
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({ requests: z.array(PrivacyRequest), page: z.int(), pages: z.int() }),
	}),
}

import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { ContactRow } from '#features/contacts/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, Page, Required, RowId, Time } from '#lib/fields.ts'

const OfPerson = z.object({ number: Required('Enter a phone number', 200) })

/** How much is held of a person, or was when it was erased. */
export const HeldCounts = z.object({
	contacts: z.int(),
	/** None in requests of before they were kept. */
	consents: z._default(z.int(), 0),
	chatMessages: z.int(),
	files: z.int(),
	campaignMessages: z.int(),
})
export type HeldCounts = z.output<typeof HeldCounts>

export const PrivacyRequest = z.object({
	_id: RowId,
	kind: z.enum(['download', 'erasure']),
	/** Who did it. */
	user: z.string(),
	counts: HeldCounts,
	/** What the number became. The same number always becomes the same. */
	hash: z.string(),
	requestedAt: Time,
})
export type PrivacyRequest = z.output<typeof PrivacyRequest>

/** What an account holds of one person, found by number. */
export const privacy = {
	person: endpoint('GET /api/privacy/person', {
		access: 'user',
		query: OfPerson,
		response: z.object({
			number: z.string(),
			/** As in contacts, or else as they call themselves. */
			name: z.nullable(z.string()),
			counts: HeldCounts,
			consent: ContactRow.shape.consent,
			isOptedOut: z.boolean(),
			/** Erased before; what is held has come since. */
			isErased: z.boolean(),
		}),
	}),
	/** All of it as JSON. */
	download: endpoint('GET /api/privacy/person/download', {
		effort: 'export',
		access: 'user',
		query: OfPerson,
		response: { file: 'application/json' },
	}),
	/** For good. What money depends on stays without number, name and values. */
	erase: endpoint('POST /api/privacy/person/erase', {
		effort: 'heavy',
		access: 'user',
		body: OfPerson,
		response: z.object({ message: z.string(), counts: HeldCounts }),
	}),
	/** Everything that the caller's own account holds, as a zip. */
	account: endpoint('GET /api/privacy/account/{userId}', {
		effort: 'export',
		access: 'signed-in',
		params: z.object({ userId: Id }),
		response: { file: 'application/zip' },
	}),
	/**
	 * Everything that the account of a deleted user holds, as a zip, until it is erased. Takes a proof of the admin, and is mailed
	 * to the address that the user had. 403 for an account that is not deleted: its owner alone downloads it.
	 */
	deletedAccount: endpoint('POST /api/privacy/account/{userId}/download', {
		effort: 'export',
		access: 'admin',
		perMinute: 30,
		params: z.object({ userId: Id }),
		body: z.object(proof),
		response: { file: 'application/zip' },
	}),
	/** The latest first. */
	requests: endpoint('GET /api/privacy/requests', {
		access: 'user',
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({ requests: z.array(PrivacyRequest), page: z.int(), pages: z.int() }),
	}),
}

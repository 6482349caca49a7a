import type { OwnerId } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/deadlocks.ts'
import type { Consent } from '../form-fields.ts'
import { readPerson, type TypedPerson } from '../people-file.ts'
import { cleanName } from '../rules.ts'
import type { NewContact } from './queries.ts'
import { insertIntoGroup, type ContactContext } from './service.ts'

export interface BulkResult {
	savedContacts: number
	existingContacts: number
	updatedContacts: number
	rejected: { index: number; reason: string }[]
}

interface Bulk {
	rows: TypedPerson[]
	group: string | null
	consent: Consent | null
	update: boolean
}

/** Takes each row that is whole and leaves out each that is not; a number that the account has is not added again. */
export async function addMany(
	context: ContactContext,
	owner: OwnerId,
	{ rows, group, consent, update }: Bulk,
): Promise<BulkResult> {
	const groupId = group === null ? null : Number(group)
	const contacts: NewContact[] = []
	const rejected: BulkResult['rejected'] = []
	for (const [index, row] of rows.entries()) {
		const [firstName, lastName] = [cleanName(row.firstName), cleanName(row.lastName)]
		const { number, refusal } = readPerson({ firstName, lastName, number: row.number }, { needsName: true })
		if (refusal) rejected.push({ index, reason: refusal.reason })
		else contacts.push({ firstName, lastName: lastName || null, number, groupId })
	}
	// Two uploads with the same numbers in another order may wait for each other.
	const { added, updated } = await retryDeadlocks((isRetry) =>
		insertIntoGroup(context, owner, { contacts, groupId, consent, existing: update ? 'amend' : 'keep', isRetry }),
	)
	return {
		savedContacts: added,
		existingContacts: contacts.length - added,
		updatedContacts: updated,
		rejected,
	}
}

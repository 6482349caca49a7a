import type { OwnerId } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/deadlocks.ts'
import { cleanName, nameError, numberError, NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from '../rules.ts'
import { readNumber } from './numbers.ts'
import { insertIntoGroup, type ContactContext, type NewContact } from './service.ts'

/** A row of a file, unparsed. */
export interface BulkRow {
	firstName: string
	lastName: string
	number: string
}

export interface BulkResult {
	savedContacts: number
	existingContacts: number
	rejected: { index: number; reason: string }[]
}

/** Takes each row that is whole and leaves out each that is not; a number that the account has stays as it is. */
export async function addMany(
	context: ContactContext,
	owner: OwnerId,
	{ rows, group }: { rows: BulkRow[]; group: string | null },
): Promise<BulkResult> {
	const groupId = group === null ? null : Number(group)
	const contacts: NewContact[] = []
	const rejected: BulkResult['rejected'] = []
	for (const [index, row] of rows.entries()) {
		const read = readRow(row, groupId)
		if (typeof read === 'string') rejected.push({ index, reason: read })
		else contacts.push(read)
	}
	// Two uploads with the same numbers in another order may wait for each other.
	const savedContacts = await retryDeadlocks((isRetry) =>
		insertIntoGroup(context, owner, { contacts, groupId, isRetry }),
	)
	return { savedContacts, existingContacts: contacts.length - savedContacts, rejected }
}

/** The contact, or why the row is none. */
function readRow(row: BulkRow, groupId: number | null): NewContact | string {
	const firstName = cleanName(row.firstName)
	if (!firstName || !row.number.trim()) return NAME_AND_NUMBER_MISSING
	const lastName = cleanName(row.lastName)
	const tooLong = nameError({ firstName, lastName })
	if (tooLong) return tooLong
	if (row.number.length > 100) return NUMBER_INVALID
	const number = readNumber(row.number)
	if (number === null) return numberError(row.number) ?? NUMBER_INVALID
	return { firstName, lastName: lastName || null, number, groupId }
}

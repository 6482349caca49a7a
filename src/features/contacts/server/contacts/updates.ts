import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Existing } from '../fields/values.ts'
import type { NewContact } from './queries.ts'
import { lockByNumbers, writeNamesAndGroups } from './update-queries.ts'

interface Update {
	contacts: readonly NewContact[]
	/** Null keeps each contact's group. */
	groupId: number | null
	existing: Existing
}

/** Updates existing contacts from rows with their numbers. Returns the numbers of the changed contacts. */
export async function updateKnown(
	sql: Sql,
	accountId: AccountId,
	{ contacts, groupId, existing }: Update,
): Promise<string[]> {
	// The first of two rows with the same number wins, as it does for a new contact.
	const rows = new Map(contacts.toReversed().map((row) => [row.number, row]))
	const known = await lockByNumbers(sql, accountId, [...rows.keys()])
	const changed = known.flatMap((before) => {
		const row = rows.get(before.number) ?? before
		const after = {
			...before,
			firstName: row.firstName,
			lastName: row.lastName ?? (existing === 'amend' ? before.lastName : null),
			groupId: groupId ?? before.groupId,
		}
		const isSame =
			after.firstName === before.firstName && after.lastName === before.lastName && after.groupId === before.groupId
		return isSame ? [] : [after]
	})
	if (changed.length > 0) await writeNamesAndGroups(sql, accountId, changed)
	return changed.map(({ number }) => number)
}

import type { Consent } from '#features/contacts/form-fields.ts'
import { readPerson, type TypedPerson } from '#features/contacts/people-file.ts'
import { cleanName } from '#features/contacts/rules.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/db/deadlocks.ts'
import type { NewContact } from '../contacts/queries.ts'
import { listFields } from '../fields/field-queries.ts'
import { cleanTags, readValue, type GivenValues } from '../fields/values.ts'
import { insertIntoGroup, type ContactContext } from '../service.ts'

export interface BulkResult {
	savedContacts: number
	existingContacts: number
	updatedContacts: number
	rejected: { index: number; reason: string }[]
	skippedValues: number
}

type Row = TypedPerson & { tags?: string[] | undefined; values?: string[] | undefined }

interface Bulk {
	rows: Row[]
	/** The ids of the fields that the rows have values for. */
	fields: string[]
	/** Of all of them. */
	tags: string[]
	group: string | null
	consent: Consent | null
	update: boolean
}

/** Takes each row that is whole and leaves out each that is not; a number that the account has is not added again. */
export async function addMany(
	{ db, env }: ContactContext,
	owner: OwnerId,
	{ rows, fields, tags, group, consent, update }: Bulk,
): Promise<BulkResult> {
	const groupId = group === null ? null : Number(group)
	const readOwn = await ownReader(db, owner, { fields, tags })
	const contacts: (NewContact & { own: GivenValues })[] = []
	let skippedValues = 0
	const rejected: BulkResult['rejected'] = []
	for (const [index, row] of rows.entries()) {
		const [firstName, lastName] = [cleanName(row.firstName), cleanName(row.lastName)]
		const { number, refusal } = readPerson({ firstName, lastName, number: row.number }, { needsName: true })
		if (refusal) rejected.push({ index, reason: refusal.reason })
		else {
			const { own, skipped } = readOwn(row)
			skippedValues += skipped
			contacts.push({ firstName, lastName: lastName || null, number, groupId, own })
		}
	}
	// Two uploads with the same numbers in another order may wait for each other.
	const given = { contacts, groupId, consent, existing: update ? 'amend' : 'keep', max: env.ACCOUNT_CONTACTS } as const
	const { added, updated } = await retryDeadlocks((isRetry) =>
		transaction(db, (sql) => insertIntoGroup(sql, owner, { ...given, isRetry })),
	)
	return {
		savedContacts: added,
		existingContacts: contacts.length - added,
		updatedContacts: updated,
		rejected,
		skippedValues,
	}
}

/** Reads what the rows say besides names and numbers. A field that was deleted meanwhile is passed over. */
async function ownReader(db: Db, owner: OwnerId, given: Pick<Bulk, 'fields' | 'tags'>) {
	const known = given.fields.length === 0 ? [] : await listFields(db, owner)
	const columns = given.fields.map((id) => known.find((field) => String(field.id) === id))
	return ({ tags = [], values = [] }: Row): { own: GivenValues; skipped: number } => {
		const cells = columns.map((field, at) => ({ field, text: values[at] ?? '' })).filter(({ text }) => text !== '')
		const read = cells.flatMap(({ field, text }) => {
			const value = field && readValue(field, text)
			return field && value ? [[field, value] as const] : []
		})
		const all = cleanTags([...tags, ...given.tags])
		return { own: { ...(all.length > 0 && { tags: all }), values: read }, skipped: cells.length - read.length }
	}
}

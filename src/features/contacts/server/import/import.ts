import { recordWork } from '#features/auth/server/service.ts'
import type { Consent } from '#features/contacts/contract.ts'
import {
	cleanTags,
	MAX_TAG_LENGTH,
	MAX_TAGS,
	MAX_TAGS_OF_CONTACT,
	readValue,
} from '#features/contacts/custom-fields.ts'
import { readPerson, secondNumberNote, type TypedPerson } from '#features/contacts/people-file.ts'
import { cleanName } from '#features/contacts/rules.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/db/deadlocks.ts'
import { countCharacters, firstCharacters } from '#lib/text/characters.ts'
import { readYesNo } from '#lib/typed-values.ts'
import type { NewContact } from '../contacts/queries.ts'
import { type Field, type GivenValues, listFields } from '../fields/field-queries.ts'
import { setOptOuts } from '../opt-outs/opt-outs.ts'
import { insertIntoGroup, type ContactContext } from '../service.ts'

/** Remark about a row, by its index in the call. */
interface Remark {
	index: number
	reason: string
}

export interface BulkResult {
	savedContacts: number
	existingContacts: number
	updatedContacts: number
	skippedValues: number
	optedOutContacts: number
	rejected: Remark[]
	leftOut: Remark[]
}

type Row = TypedPerson & {
	tags?: string[] | undefined
	values?: string[] | undefined
	optedOut?: boolean | string | undefined
}

interface Bulk {
	rows: Row[]
	/** Ids of the fields that the rows have values for. */
	fields: string[]
	/** Tags for all rows. */
	tags: string[]
	group: string | null
	consent: Consent | null
	update: boolean
	/** The id of the person who uploads, for the record of opt-outs. */
	by?: number | undefined
}

interface ReadRow {
	index: number
	contact: NewContact & { own: GivenValues }
	optsOut: boolean
}

/**
 * Adds the valid rows of a call, and returns the invalid rows with their reasons. Of several rows with one number the
 * first counts; a row of an existing contact amends the contact with `update`, and otherwise changes nothing but the
 * opt-out and the consent.
 */
export async function addMany(
	{ db, env }: ContactContext,
	accountId: AccountId,
	{ rows, fields, tags, group, consent, update, by }: Bulk,
): Promise<BulkResult> {
	const read = await readRows(db, accountId, { rows, fields, tags, groupId: group === null ? null : Number(group) })
	const contacts = read.taken.map(({ contact }) => contact)
	const optOuts = read.taken.flatMap(({ contact, optsOut }) => (optsOut ? [contact.number] : []))
	const existing = update ? 'amend' : 'keep'
	const given = {
		contacts,
		groupId: group === null ? null : Number(group),
		consent,
		existing,
		max: env.ACCOUNT_CONTACTS,
	}
	// Two uploads with the same numbers in different orders can deadlock.
	const { added, updated, withoutTags, optedOutContacts } = await retryDeadlocks((isRetry) =>
		transaction(db, async (sql) => {
			const done = await insertIntoGroup(sql, accountId, { ...given, existing, isRetry })
			const out = { numbers: optOuts, optedOut: true, because: 'manual', by } as const
			if (by !== undefined)
				await recordWork(sql, accountId, { by, action: 'contacts-uploaded', details: uploadText(rows.length, done) })
			return { ...done, optedOutContacts: await setOptOuts(sql, accountId, out) }
		}),
	)
	const crowded = read.taken.flatMap(({ index, contact: { number } }) => {
		const left = withoutTags.get(number)
		return left ? [{ index, reason: tooManyTags(left) }] : []
	})
	return {
		savedContacts: added,
		existingContacts: contacts.length + read.duplicates - added,
		updatedContacts: updated,
		skippedValues: read.skippedValues,
		optedOutContacts,
		rejected: read.rejected,
		leftOut: [...read.leftOut, ...crowded].toSorted((a, b) => a.index - b.index),
	}
}

/** Returns "500 rows: 480 new, 12 updated". */
function uploadText(rows: number, { added, updated }: { added: number; updated: number }): string {
	const changed = updated > 0 ? `, ${formatCount(updated)} updated` : ''
	return `${plural(rows, 'row')}: ${formatCount(added)} new${changed}`
}

function tooManyTags(left: readonly string[]): string {
	const most = `a contact may have ${MAX_TAGS_OF_CONTACT} tags, and an account ${formatCount(MAX_TAGS)}`
	return `${plural(left.length, 'tag')} left out (${named(left)}): ${most}`
}

const MAX_NAMED = 3
const MAX_NAME_SHOWN = 30

function named(texts: readonly string[]): string {
	const shown = texts.slice(0, MAX_NAMED).map((text) => `"${shortened(text)}"`)
	const more = texts.length - shown.length
	return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function shortened(text: string): string {
	const start = firstCharacters(text, MAX_NAME_SHOWN)
	return start === text ? text : `${start}…`
}

/** Rows of a call, read without regard to the account's existing contacts. */
interface ReadRows extends Pick<BulkResult, 'skippedValues' | 'rejected' | 'leftOut'> {
	taken: ReadRow[]
	/** Number of rows that repeat the number of an earlier row. */
	duplicates: number
}

async function readRows(
	db: Db,
	accountId: AccountId,
	{ rows, groupId, ...given }: Pick<Bulk, 'rows' | 'fields' | 'tags'> & { groupId: number | null },
): Promise<ReadRows> {
	const readOwn = await ownReader(db, accountId, given)
	const indexOfNumber = new Map<string, number>()
	const all: ReadRows = { taken: [], duplicates: 0, skippedValues: 0, rejected: [], leftOut: [] }
	for (const [index, row] of rows.entries()) {
		const [firstName, lastName] = [cleanName(row.firstName), cleanName(row.lastName)]
		const person = readPerson({ firstName, lastName, number: row.number }, { needsName: true })
		const { number, refusal } = person
		const earlier = number === null ? undefined : indexOfNumber.get(number)
		if (refusal) all.rejected.push({ index, reason: refusal.reason })
		else if (earlier !== undefined) {
			all.duplicates++
			all.rejected.push({ index, reason: `The same number as in row ${earlier + 1}` })
		} else {
			indexOfNumber.set(number, index)
			const { own, skipped, reasons } = readOwn(row)
			all.skippedValues += skipped
			const second = secondNumberNote(person.others)
			for (const reason of second === null ? reasons : [second, ...reasons]) all.leftOut.push({ index, reason })
			const contact = { firstName, lastName: lastName || null, number, groupId, own }
			all.taken.push({ index, contact, optsOut: row.optedOut === true || readYesNo(String(row.optedOut)) === 'yes' })
		}
	}
	return all
}

const TYPE_NEEDS = { text: 'a shorter text', number: 'a number', date: 'a date', yesno: 'yes or no' } as const

/** Returns a reader for the tags and values of a row. Values of fields that were deleted meanwhile are skipped. */
async function ownReader(db: Db, accountId: AccountId, given: Pick<Bulk, 'fields' | 'tags'>) {
	const known = given.fields.length === 0 ? [] : await listFields(db, accountId)
	const columns = given.fields.map((id) => known.find((field) => String(field.id) === id))
	return ({ tags = [], values = [] }: Row): { own: GivenValues; skipped: number; reasons: string[] } => {
		const { read, unread, surplus } = readCells(columns, values)
		const typedTags = tags.map(cleanName)
		const long = typedTags.filter((tag) => countCharacters(tag) > MAX_TAG_LENGTH)
		const all = cleanTags([...typedTags, ...given.tags])
		const reasons = unread.map(
			([field, text]) => `"${shortened(text)}" left out: ${field.name} needs ${TYPE_NEEDS[field.type]}`,
		)
		if (long.length > 0)
			reasons.push(
				`${plural(long.length, 'tag')} left out (${named(long)}): a tag may have ${MAX_TAG_LENGTH} characters`,
			)
		if (surplus.length > 0)
			reasons.push(`${plural(surplus.length, 'value')} left out (${named(surplus)}): no field is named for it`)
		const skipped = unread.length + surplus.length
		return { own: { ...(all.length > 0 && { tags: all }), values: read }, skipped, reasons }
	}
}

function readCells(columns: readonly (Field | undefined)[], values: readonly string[]) {
	const read: [Field, string][] = []
	const unread: [Field, string][] = []
	const surplus: string[] = []
	for (const [at, text] of values.entries()) {
		if (text.trim() === '') continue
		const field = columns[at]
		const value = field && readValue(field, text)
		if (!field) surplus.push(text)
		else if (value === null || value === undefined) unread.push([field, text])
		else if (value !== '') read.push([field, value])
	}
	return { read, unread, surplus }
}

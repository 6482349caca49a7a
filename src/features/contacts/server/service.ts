import { problem } from '#features/contacts/problems.ts'
import { AppError } from '#lib/app-error.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { readNumber, readNumbers } from '#lib/phone/phone-reader.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { violates } from '#lib/server/db/constraint-violations.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { cutTo } from '#lib/text/characters.ts'
import type { contacts, OptOutReason } from '../contract.ts'
import type { Consent } from '../contract.ts'
import { cleanName, MAX_NAME_LENGTH } from '../rules.ts'
import * as changes from './contacts/change-queries.ts'
import * as consents from './contacts/consent-queries.ts'
import { filterOf } from './contacts/contact-filter.ts'
import { deleteContacts } from './contacts/matching-service.ts'
import * as queries from './contacts/queries.ts'
import type { Contact, NewContact } from './contacts/queries.ts'
import { listNumbers } from './contacts/search-queries.ts'
import { updateKnown } from './contacts/updates.ts'
import { findCachedCount, lockCounts } from './count-queries.ts'
import { listErased } from './erasure/erased.ts'
import type { GivenValues } from './fields/field-queries.ts'
import { writeGiven, writeTyped, type Existing, type Written } from './fields/values.ts'
import { insertGroup, type NewGroup } from './groups/group-queries.ts'
import { checkNewGroup, lockGroup, refuseTooManyGroups } from './groups/groups.ts'
import * as optOuts from './opt-outs/opt-out-queries.ts'
import { setOptOuts } from './opt-outs/opt-outs.ts'

/** Contact as typed in a form. */
type TypedContact = PartOut<typeof contacts.create.body>

/** Dependencies for adding contacts. */
export interface ContactContext {
	db: Db
	env: { ACCOUNT_CONTACTS: number }
}

export async function createContact(
	{ db, env }: ContactContext,
	accountId: AccountId,
	typed: TypedContact,
): Promise<Contact> {
	const contact = readContact(typed)
	return transaction(db, async (sql) => {
		await lockGroup(sql, accountId, contact.groupId)
		const id = await queries.insertContact(sql, accountId, { ...contact, ...(await consentOf(sql, accountId, typed)) })
		if (id === null) throw numberTaken()
		await refuseTooMany(sql, accountId, { added: 1, max: env.ACCOUNT_CONTACTS })
		await writeTyped(sql, accountId, { ...typed, number: contact.number })
		return getContact(sql, accountId, id)
	})
}

export async function updateContact(
	db: Db,
	accountId: AccountId,
	{ id, ...typed }: TypedContact & { id: string },
): Promise<Contact> {
	const contact = readContact(typed)
	return transaction(db, async (sql) => {
		await lockGroup(sql, accountId, contact.groupId)
		const changed = { ...contact, ...(await consentOf(sql, accountId, typed)), id: Number(id) }
		if (!(await changes.updateContact(sql, accountId, changed))) throw notFound('Contact')
		await writeTyped(sql, accountId, { ...typed, number: contact.number })
		return getContact(sql, accountId, Number(id))
	}).catch((error: unknown) => {
		throw violates(error, 'contacts_account_id_number_key') ? numberTaken() : error
	})
}

function readContact(typed: TypedContact): NewContact {
	const number = readNumber(typed.number)
	if (number === null) throw problem('contact_number_invalid')
	const firstName = cleanName(typed.firstName)
	if (!firstName) throw problem('contact_incomplete')
	const lastName = cleanName(typed.lastName ?? '') || null
	return { firstName, lastName, number, groupId: typed.group ? Number(typed.group) : null }
}

async function consentOf(
	sql: Sql,
	accountId: AccountId,
	{ consent }: TypedContact,
): Promise<Pick<NewContact, 'consentId'>> {
	return { consentId: consent && (await consents.ensureConsent(sql, accountId, consent)) }
}

function numberTaken(): AppError {
	return problem('contact_number_taken')
}

async function getContact(sql: Sql, accountId: AccountId, id: number): Promise<Contact> {
	const contact = await queries.findContact(sql, accountId, id)
	if (!contact) throw notFound('Contact')
	return contact
}

export async function deleteContact(
	db: Db,
	accountId: AccountId,
	{ id, by }: { id: string; by?: number | undefined },
): Promise<void> {
	if ((await deleteMany(db, accountId, { ids: [id], by })) === 0) throw notFound('Contact')
}

export function deleteMany(
	db: Db,
	accountId: AccountId,
	{ ids, by }: { ids: string[]; by?: number | undefined },
): Promise<number> {
	return transaction(db, (sql) => deleteContacts(sql, accountId, { ids: ids.map(Number), by }))
}

export async function moveContacts(
	db: Db,
	accountId: AccountId,
	{ ids, group }: { ids: string[]; group: string | null },
): Promise<number> {
	const groupId = group === null ? null : Number(group)
	return transaction(db, async (sql) => {
		await lockGroup(sql, accountId, groupId)
		return changes.moveContacts(sql, accountId, { ids: ids.map(Number), groupId })
	})
}

export async function setOptedOut(
	db: Db,
	accountId: AccountId,
	{ id, optedOut, by }: { id: string; optedOut: boolean; by: number },
): Promise<Contact> {
	return transaction(db, async (sql) => {
		const { number } = await getContact(sql, accountId, Number(id))
		await setOptOuts(sql, accountId, { numbers: [number], optedOut, because: 'manual', by })
		return getContact(sql, accountId, Number(id))
	})
}

/**
 * Opts numbers and contacts out or in by hand, in the caller's transaction. Returns the number of changes, and the
 * texts that are not numbers.
 */
export async function setManyOptedOut(
	sql: Sql,
	accountId: AccountId,
	{ numbers, ids, optedOut, by }: { numbers: string[]; ids: string[]; optedOut: boolean; by?: number },
): Promise<{ changed: number; rejected: string[] }> {
	const read = numbers.map((typed) => ({ typed, found: readNumbers(typed) }))
	const rejected = read.flatMap(({ typed, found }) => (found === null ? [typed] : []))
	// Both numbers of an entry with two numbers are used.
	const typed = read.flatMap(({ found }) =>
		found ? [found.number, ...found.others.flatMap((one) => readNumber(one) ?? [])] : [],
	)
	const chosen = ids.length > 0 ? await optOuts.listNumbers(sql, accountId, ids.map(Number)) : []
	const all = [...typed, ...chosen.map(({ number }) => number)]
	return { changed: await setOptOuts(sql, accountId, { numbers: all, optedOut, because: 'manual', by }), rejected }
}

/**
 * Throws a 409, so that the transaction rolls back, when the account exceeds its maximum of contacts. The caller's
 * insert has locked the cached count, so concurrent inserts are included.
 */
async function refuseTooMany(
	sql: Sql,
	accountId: AccountId,
	{ added, max }: { added: number; max: number },
): Promise<void> {
	if (added === 0) return
	const total = await findCachedCount(sql, accountId, null)
	if (total <= max) return
	throw problem('contacts_full', { most: max, total: total - added, added })
}

/**
 * Adds contacts with a shared consent in the caller's transaction, and keeps or updates existing ones as `existing`
 * says. A retry locks the account's counts first, so that retries are serialized.
 */
export async function insertIntoGroup(
	sql: Sql,
	accountId: AccountId,
	given: {
		contacts: (NewContact & { own?: GivenValues })[]
		groupId: number | null
		consent: Consent | null
		existing: Existing
		isRetry: boolean
		max: number
	},
): Promise<{ added: number; updated: number; withoutTags: Written['withoutTags'] }> {
	const { contacts, groupId, consent, existing, isRetry, max } = given
	if (isRetry) await lockCounts(sql, accountId)
	await lockGroup(sql, accountId, groupId)
	const consentId = consent && (await consents.ensureConsent(sql, accountId, consent))
	const consented = contacts.map((contact) => ({ ...contact, consentId }))
	const added = await queries.insertContacts(sql, accountId, consented)
	await refuseTooMany(sql, accountId, { added, max })
	if (consent && consentId !== null && added < contacts.length) {
		const numbers = contacts.map(({ number }) => number)
		await consents.noteConsent(sql, accountId, { numbers, consentId, agreedOn: consent.agreedOn })
	}
	const own = new Map(contacts.flatMap((one) => (one.own ? [[one.number, one.own] as const] : [])))
	const { changed, withoutTags } = await writeGiven(sql, accountId, { given: own, existing })
	if (existing === 'keep' || added === contacts.length) return { added, updated: 0, withoutTags }
	const renamed = await updateKnown(sql, accountId, { contacts, groupId, existing })
	return { added, updated: new Set([...renamed, ...changed]).size, withoutTags }
}

export async function listOptOutChanges(db: Db, accountId: AccountId, id: string): Promise<changes.OptOutChange[]> {
	return changes.listOptOutChanges(db, accountId, (await getContact(db, accountId, Number(id))).number)
}

/** Opts these numbers out from now on, unless they are opted out already. */
export async function optOutNumbers(
	sql: Sql,
	accountId: AccountId,
	{ numbers, because }: { numbers: string[]; because: OptOutReason },
): Promise<void> {
	await setOptOuts(sql, accountId, { numbers, because, optedOut: true })
}

/** Maximum numbers of a search that `findNumbers` returns. */
const MAX_FOUND = 5000

/** Returns the numbers of the contacts that match a search; null when more than `MAX_FOUND` contacts match. */
export async function findNumbers(sql: Sql, accountId: AccountId, search: string): Promise<string[] | null> {
	const numbers = await listNumbers(sql, accountId, { filter: filterOf(search), limit: MAX_FOUND + 1 })
	return numbers.length > MAX_FOUND ? null : numbers
}

/** Yields people in batches, read in the given transaction, with numbers in canonical form. */
type People = (sql: Sql) => AsyncIterable<readonly { number: string; name: string | null }[]>

const GROUP_TIMEOUT_MS = 120_000

/**
 * Creates a group of people by their numbers. Existing contacts are moved to it; other numbers are added as contacts.
 */
export function addToNewGroup(
	{ db, env }: ContactContext,
	accountId: AccountId,
	{ group, people }: { group: NewGroup; people: People },
): Promise<{ id: number; name: string }> {
	const work = async (sql: Sql) => {
		const { id, name } = await insertGroup(sql, accountId, group)
		await refuseTooManyGroups(sql, accountId)
		for await (const batch of people(sql)) {
			const contacts = batch.map((one) => ({
				firstName: cutTo(cleanName(one.name ?? ''), MAX_NAME_LENGTH) || `+${one.number}`,
				lastName: null,
				number: one.number,
				groupId: id,
			}))
			const added = await queries.insertContacts(sql, accountId, contacts)
			await refuseTooMany(sql, accountId, { added, max: env.ACCOUNT_CONTACTS })
			await changes.moveNumbers(sql, accountId, { numbers: contacts.map(({ number }) => number), groupId: id })
		}
		// Runs the check last, so that the lock of the counts does not block other writers during the whole import.
		await checkNewGroup(sql, accountId, { id, name })
		return { id, name }
	}
	return retriedTransaction(db, work, { timeoutMs: GROUP_TIMEOUT_MS })
}

/** Returns a contact as `ContactRow`. */
export function presentContact({ id, groupId, groupName, isOptedOut, ...contact }: Contact) {
	const group = groupId === null ? null : { _id: groupId, name: groupName ?? '' }
	return { ...contact, _id: id, group, optedOut: isOptedOut }
}

/**
 * Adds people of the phone app who are not contacts yet, opted out for the reason `phone_app`. Leaves out erased people, and
 * people beyond the account's maximum. Returns the number of new contacts.
 */
export async function addAppContacts(
	sql: Sql,
	accountId: AccountId,
	{ contacts: given, maxContacts }: { contacts: readonly { number: string; name: string }[]; maxContacts: number },
): Promise<number> {
	const numbers = given.map(({ number }) => number)
	const known = new Set(await queries.listKnownNumbers(sql, accountId, numbers))
	const erased = await listErased(sql, accountId, numbers)
	await lockCounts(sql, accountId)
	const room = Math.max(0, maxContacts - (await findCachedCount(sql, accountId, null)))
	const added = given.filter(({ number }) => !known.has(number) && !erased.has(number)).slice(0, room)
	if (added.length === 0) return 0
	await queries.insertUnasked(
		sql,
		accountId,
		added.map(({ number }) => number),
	)
	const rows = added.map(({ number, name }) => ({ firstName: name, lastName: null, number, groupId: null }))
	return queries.insertContacts(sql, accountId, rows)
}

/** Deletes contacts that the phone app has added and removed again, unless the account has used them since. */
export async function removeAppContacts(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<void> {
	const ids = await queries.listUnusedAppContacts(sql, accountId, numbers)
	if (ids.length > 0) await changes.deleteContacts(sql, accountId, ids)
}

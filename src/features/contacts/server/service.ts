import type { PartOut } from '#lib/endpoint.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { readNumber, readNumbers } from '#lib/phone-reader.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { violates } from '#lib/server/db/constraint-violations.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import type { contacts, OptOutReason } from '../contract.ts'
import type { Consent } from '../form-fields.ts'
import { groupNameKey } from '../group-name.ts'
import { cleanName, MAX_NAME_LENGTH, NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from '../rules.ts'
import * as changes from './contacts/change-queries.ts'
import * as consents from './contacts/consent-queries.ts'
import { filterOf } from './contacts/contact-filter.ts'
import * as queries from './contacts/queries.ts'
import type { Contact, NewContact } from './contacts/queries.ts'
import { listNumbers } from './contacts/search-queries.ts'
import { updateKnown } from './contacts/updates.ts'
import { findCachedCount, lockCounts } from './count-queries.ts'
import { tooMany } from './fields/fields.ts'
import { writeGiven, writeTyped, type Existing, type GivenValues, type Written } from './fields/values.ts'
import {
	claimGroup,
	countGroups,
	deleteEmptyGroup,
	deleteGroup,
	findGroup,
	insertGroup,
	updateGroup,
	type Group,
	type NewGroup,
} from './groups/group-queries.ts'
import { refuseNamesake } from './groups/namesake-queries.ts'
import * as optOuts from './opt-outs/opt-out-queries.ts'
import { setOptOuts } from './opt-outs/opt-outs.ts'

/** A contact as typed. */
type TypedContact = PartOut<typeof contacts.create.body>

/** What adding contacts needs. */
export interface ContactContext {
	db: Db
	env: { ACCOUNT_CONTACTS: number }
}

export async function createContact(
	{ db, env }: ContactContext,
	owner: OwnerId,
	typed: TypedContact,
): Promise<Contact> {
	const contact = readContact(typed)
	return transaction(db, async (sql) => {
		await claim(sql, owner, contact.groupId)
		const id = await queries.insertContact(sql, owner, { ...contact, ...(await consentOf(sql, owner, typed)) })
		if (id === null) throw numberTaken()
		await refuseTooMany(sql, owner, { added: 1, max: env.ACCOUNT_CONTACTS })
		await writeTyped(sql, owner, { ...typed, number: contact.number })
		return getContact(sql, owner, id)
	})
}

export async function updateContact(
	db: Db,
	owner: OwnerId,
	{ id, ...typed }: TypedContact & { id: string },
): Promise<Contact> {
	const contact = readContact(typed)
	return transaction(db, async (sql) => {
		await claim(sql, owner, contact.groupId)
		const changed = { ...contact, ...(await consentOf(sql, owner, typed)), id: Number(id) }
		if (!(await changes.updateContact(sql, owner, changed))) throw notFound('Contact')
		await writeTyped(sql, owner, { ...typed, number: contact.number })
		return getContact(sql, owner, Number(id))
	}).catch((error: unknown) => {
		throw violates(error, 'contacts_account_id_number_key') ? numberTaken() : error
	})
}

function readContact(typed: TypedContact): NewContact {
	const number = readNumber(typed.number)
	if (number === null) throw numberRefused(400, NUMBER_INVALID)
	const firstName = cleanName(typed.firstName)
	if (!firstName) throw new AppError(400, NAME_AND_NUMBER_MISSING)
	const lastName = cleanName(typed.lastName ?? '') || null
	return { firstName, lastName, number, groupId: typed.group ? Number(typed.group) : null }
}

async function consentOf(sql: Sql, owner: OwnerId, { consent }: TypedContact): Promise<Pick<NewContact, 'consentId'>> {
	return { consentId: consent && (await consents.ensureConsent(sql, owner, consent)) }
}

function numberTaken(): AppError {
	return numberRefused(409, 'A contact with this number already exists')
}

/** Named at its field, where it stays when the toast has gone. */
function numberRefused(status: number, message: string): AppError {
	return new AppError(status, message, { fields: { number: message } })
}

async function getContact(sql: Sql, owner: OwnerId, id: number): Promise<Contact> {
	const contact = await queries.findContact(sql, owner, id)
	if (!contact) throw notFound('Contact')
	return contact
}

async function claim(sql: Sql, owner: OwnerId, groupId: number | null): Promise<void> {
	if (groupId !== null && !(await claimGroup(sql, owner, groupId))) throw notFound('Contact group')
}

export async function deleteContact(db: Db, owner: OwnerId, id: string): Promise<void> {
	if ((await changes.deleteContacts(db, owner, [Number(id)])) === 0) throw notFound('Contact')
}

export async function deleteContacts(db: Db, owner: OwnerId, ids: string[]): Promise<number> {
	return changes.deleteContacts(db, owner, ids.map(Number))
}

export async function moveContacts(
	db: Db,
	owner: OwnerId,
	{ ids, group }: { ids: string[]; group: string | null },
): Promise<number> {
	const groupId = group === null ? null : Number(group)
	return transaction(db, async (sql) => {
		await claim(sql, owner, groupId)
		return changes.moveContacts(sql, owner, { ids: ids.map(Number), groupId })
	})
}

export async function setOptedOut(
	db: Db,
	owner: OwnerId,
	{ id, optedOut }: { id: string; optedOut: boolean },
): Promise<Contact> {
	return transaction(db, async (sql) => {
		const { number } = await getContact(sql, owner, Number(id))
		await setOptOuts(sql, owner, { numbers: [number], optedOut, because: 'manual' })
		return getContact(sql, owner, Number(id))
	})
}

/** Opts numbers and contacts out or in by hand, in the caller's transaction. Returns how many changed, and what is no number. */
export async function setManyOptedOut(
	sql: Sql,
	owner: OwnerId,
	{ numbers, ids, optedOut }: { numbers: string[]; ids: string[]; optedOut: boolean },
): Promise<{ changed: number; rejected: string[] }> {
	const read = numbers.map((typed) => ({ typed, found: readNumbers(typed) }))
	const rejected = read.flatMap(({ typed, found }) => (found === null ? [typed] : []))
	// Of an entry with two numbers both are meant.
	const typed = read.flatMap(({ found }) =>
		found ? [found.number, ...found.others.flatMap((one) => readNumber(one) ?? [])] : [],
	)
	const chosen = ids.length > 0 ? await optOuts.listNumbers(sql, owner, ids.map(Number)) : []
	const all = [...typed, ...chosen.map(({ number }) => number)]
	return { changed: await setOptOuts(sql, owner, { numbers: all, optedOut, because: 'manual' }), rejected }
}

/**
 * Throws, so that the transaction rolls back, when the contacts that it has added are more than the account may keep. Their
 * statement has locked the cached count, so that what others add at the same time is in it.
 */
async function refuseTooMany(sql: Sql, owner: OwnerId, { added, max }: { added: number; max: number }): Promise<void> {
	if (added === 0) return
	const total = await findCachedCount(sql, owner, null)
	if (total <= max) return
	throw new AppError(
		409,
		`Your account may keep ${plural(max, 'contact')} and has ${formatCount(total - added)}: there is no room for ` +
			`${formatCount(added)} more. Delete contacts that you no longer write to, or ask your administrator to raise the limit.`,
	)
}

/** Adds contacts, and a consent of all, in the caller's transaction. Retries of an account run one after the other. */
export async function insertIntoGroup(
	sql: Sql,
	owner: OwnerId,
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
	if (isRetry) await lockCounts(sql, owner)
	await claim(sql, owner, groupId)
	const consentId = consent && (await consents.ensureConsent(sql, owner, consent))
	const consented = contacts.map((contact) => ({ ...contact, consentId }))
	const added = await queries.insertContacts(sql, owner, consented)
	await refuseTooMany(sql, owner, { added, max })
	if (consent && consentId !== null && added < contacts.length) {
		const numbers = contacts.map(({ number }) => number)
		await consents.noteConsent(sql, owner, { numbers, consentId, agreedOn: consent.agreedOn })
	}
	const own = new Map(contacts.flatMap((one) => (one.own ? [[one.number, one.own] as const] : [])))
	const { changed, withoutTags } = await writeGiven(sql, owner, { given: own, existing })
	if (existing === 'keep' || added === contacts.length) return { added, updated: 0, withoutTags }
	const renamed = await updateKnown(sql, owner, { contacts, groupId, existing })
	return { added, updated: new Set([...renamed, ...changed]).size, withoutTags }
}

/** Creates a group in the caller's transaction, which has to roll back when it is refused. */
export async function createGroup(sql: Sql, owner: OwnerId, group: NewGroup): Promise<Group> {
	const created = await insertGroup(sql, owner, group)
	await checkNewGroup(sql, owner, created)
	return created
}

async function checkNewGroup(sql: Sql, owner: OwnerId, group: Pick<Group, 'id' | 'name'>): Promise<void> {
	await lockCounts(sql, owner)
	await refuseTooManyGroups(sql, owner)
	await refuseNamesake(sql, owner, group)
}

/** As many as lists and choices of groups are made for. */
const MAX_GROUPS = 2000

async function refuseTooManyGroups(sql: Sql, owner: OwnerId): Promise<void> {
	if ((await countGroups(sql, owner, '')) > MAX_GROUPS) throw tooMany(plural(MAX_GROUPS, 'contact group'))
}

export function changeGroup(db: Db, owner: OwnerId, { id, ...group }: NewGroup & { id: string }): Promise<Group> {
	return transaction(db, async (sql) => {
		const before = await getGroup(sql, owner, id)
		if (!(await updateGroup(sql, owner, { ...group, id }))) throw notFound('Contact group')
		await lockCounts(sql, owner)
		if (groupNameKey(before.name) !== groupNameKey(group.name)) await refuseNamesake(sql, owner, { ...group, id })
		return getGroup(sql, owner, id)
	})
}

/** Its contacts stay, without group; campaigns keep the audience that they were created with. */
export async function removeGroup(sql: Sql, owner: OwnerId, id: string): Promise<void> {
	if (!(await deleteGroup(sql, owner, id))) throw notFound('Contact group')
	await deleteEmptyGroup(sql, owner, id)
}

export async function getGroup(sql: Sql, owner: OwnerId, id: string): Promise<Group> {
	const group = await findGroup(sql, owner, id)
	if (!group) throw notFound('Contact group')
	return group
}

export async function listOptOutChanges(db: Db, owner: OwnerId, id: string): Promise<changes.OptOutChange[]> {
	return changes.listOptOutChanges(db, owner, (await getContact(db, owner, Number(id))).number)
}

/** Notes that these numbers want no more marketing from now on, unless they had said so before. */
export async function optOutNumbers(
	sql: Sql,
	owner: OwnerId,
	{ numbers, because }: { numbers: string[]; because: OptOutReason },
): Promise<void> {
	await setOptOuts(sql, owner, { numbers, because, optedOut: true })
}

/** The most numbers that a search is worth to be followed up for. */
const MAX_FOUND = 5000

/** The numbers of the contacts that a search finds, or null when they are too many to be of use. */
export async function findNumbers(sql: Sql, owner: OwnerId, search: string): Promise<string[] | null> {
	const numbers = await listNumbers(sql, owner, { filter: filterOf(search), limit: MAX_FOUND + 1 })
	return numbers.length > MAX_FOUND ? null : numbers
}

/** People some at a time, read in the given transaction; numbers are in the canonical form. */
type People = (sql: Sql) => AsyncIterable<readonly { number: string; name: string | null }[]>

const GROUP_TIMEOUT_MS = 120_000

/** Creates a group of people by their numbers: contacts move into it, and who is none yet is added to the contacts. */
export function addToNewGroup(
	{ db, env }: ContactContext,
	owner: OwnerId,
	{ group, people }: { group: NewGroup; people: People },
): Promise<{ id: number; name: string }> {
	const work = async (sql: Sql) => {
		const { id, name } = await insertGroup(sql, owner, group)
		await refuseTooManyGroups(sql, owner)
		for await (const batch of people(sql)) {
			const contacts = batch.map((one) => ({
				firstName: cleanName(one.name ?? '').slice(0, MAX_NAME_LENGTH) || `+${one.number}`,
				lastName: null,
				number: one.number,
				groupId: id,
			}))
			const added = await queries.insertContacts(sql, owner, contacts)
			await refuseTooMany(sql, owner, { added, max: env.ACCOUNT_CONTACTS })
			await changes.moveNumbers(sql, owner, { numbers: contacts.map(({ number }) => number), groupId: id })
		}
		// At the end, so that others need not wait with their contacts until all of these are in.
		await checkNewGroup(sql, owner, { id, name })
		return { id, name }
	}
	return retriedTransaction(db, work, { timeoutMs: GROUP_TIMEOUT_MS })
}

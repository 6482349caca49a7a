import type { Consent } from '#features/contacts/contract.ts'
import { formsOf, type ErasedPerson } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { deleteContacts, listOptOutChanges } from '../contacts/change-queries.ts'
import { deleteUnusedConsents } from '../contacts/consent-queries.ts'
import { findContact } from '../contacts/queries.ts'
import * as queries from '../erasure/erased-queries.ts'
import { listErased } from '../erasure/erased.ts'
import { listStatements } from '../opt-outs/opt-out-queries.ts'
import { deleteFormerIds, listSamePeople, lockFormerIds } from '../whatsapp-id-queries.ts'

/** Returns these numbers and WhatsApp's ids of the same people, in both forms. */
export async function listFormsOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<string[]> {
	const same = await listSamePeople(sql, accountId, names)
	return [...names, ...same.map((one) => one.same)].flatMap(formsOf)
}

/** Number of a person's records, which an erasure deletes. */
interface ContactCounts {
	contacts: number
	consents: number
}

interface ContactFacts {
	counts: ContactCounts
	/** Name and consent of the oldest contact. */
	contactName: string | null
	consent: Consent | null
	isOptedOut: boolean
	/** True when the person was erased before. */
	isErased: boolean
}

export async function findContactsOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<ContactFacts> {
	const contacts = await queries.listContactsOf(sql, accountId, names)
	const contact = contacts[0] && (await findContact(sql, accountId, contacts[0].id))
	const statements = await listStatements(sql, accountId, names)
	const isErased = (await listErased(sql, accountId, names)).size > 0
	return {
		counts: { contacts: contacts.length, consents: consentsOf(contacts).length },
		contactName: contact ? [contact.firstName, contact.lastName].filter(Boolean).join(' ') : null,
		consent: contact?.consent ?? null,
		isOptedOut: isErased || statements.some(({ optedOut }) => optedOut),
		isErased,
	}
}

const consentsOf = (contacts: readonly { consentId: number | null }[]) =>
	contacts.flatMap(({ consentId }) => consentId ?? [])

/** Returns the contacts of a person and the history of the opt-outs, for a file that the person may read. */
export async function exportContactsOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<object> {
	const held = await queries.listContactsOf(sql, accountId, names)
	const contacts = await Promise.all(held.map(({ id }) => findContact(sql, accountId, id)))
	const changes = await Promise.all(
		names.map(async (number) =>
			(await listOptOutChanges(sql, accountId, number)).map((change) => ({ number, ...change })),
		),
	)
	return {
		contacts: contacts.flatMap((contact) => contact ?? []),
		optedOut: await listStatements(sql, accountId, names),
		optOutChanges: changes.flat(),
	}
}

/** Deletes a person's contacts and consents, and opts the pseudonyms of the person out. Returns the numbers of records. */
export async function eraseContactsOf(
	sql: Sql,
	accountId: AccountId,
	{ names, formOf }: ErasedPerson,
): Promise<ContactCounts> {
	await lockFormerIds(sql, accountId, names)
	const contacts = await queries.listContactsOf(sql, accountId, names)
	const consentIds = consentsOf(contacts)
	const renamed = names.map((name) => ({ from: name, to: formOf(name) }))
	await queries.renameOptOuts(sql, accountId, renamed)
	await queries.insertErased(sql, accountId, names.map(formOf))
	const ids = contacts.map(({ id }) => id)
	await deleteContacts(sql, accountId, ids)
	await deleteUnusedConsents(sql, accountId, { ids: consentIds, limit: consentIds.length })
	await queries.deleteWhatsappIds(sql, accountId, names)
	return { contacts: ids.length, consents: consentIds.length }
}

/**
 * Deletes the changes of a person's numbers and ids. Call last: they tell which messages to a former number are the person's.
 */
export async function eraseFormerIdsOf(sql: Sql, accountId: AccountId, { names }: ErasedPerson): Promise<object> {
	await deleteFormerIds(sql, accountId, names)
	return {}
}

import type { OptOutReason } from '#features/contacts/contract.ts'
import { MAX_TAGS_OF_CONTACT } from '#features/contacts/custom-fields.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { listStatements } from '../opt-outs/opt-out-queries.ts'
import { applyOptOuts } from '../opt-outs/opt-outs.ts'
import { deleteContacts, moveContacts } from './change-queries.ts'
import * as queries from './join-queries.ts'
import type { JoinedContact } from './join-queries.ts'

/** Two numbers of one person. */
export interface SamePerson {
	from: string
	into: string
}

/**
 * Joins the contacts of two numbers under the number `into`, in the caller's transaction. Either may be a WhatsApp user id, which
 * has no contact: then only the opt-out is carried over. The contact of `into` keeps
 * its name (unless the name is only digits), group, consent and values; gaps are filled from the other contact, and
 * tags are merged. An opt-out of either number applies to the joined contact. Returns the first name that the contact
 * of `into` had when two contacts were joined, else null.
 */
export async function joinContacts(sql: Sql, accountId: AccountId, { from, into }: SamePerson): Promise<string | null> {
	const isOfNumbers = !isUserId(from) && !isUserId(into)
	const contacts = isOfNumbers ? await queries.lockContacts(sql, accountId, [from, into]) : []
	const [other, own] = [from, into].map((number) => contacts.find((contact) => contact.number === number))
	if (other && own) await mergeInto(sql, accountId, { other, own })
	else if (other) await queries.renumberContact(sql, accountId, { ...other, number: into })
	await carryOptOut(sql, accountId, { from, into })
	return other && own ? own.firstName : null
}

async function mergeInto(
	sql: Sql,
	accountId: AccountId,
	{ other, own }: { other: JoinedContact; own: JoinedContact },
): Promise<void> {
	await queries.joinValues(sql, accountId, { from: other.id, into: own.id, maxTags: MAX_TAGS_OF_CONTACT })
	// A first name of digits only was made from the number, so the other contact's name is used.
	const named = /^\+?\d+$/.test(own.firstName) ? other : own
	const lastName = named.lastName ?? (named.firstName === other.firstName ? other.lastName : null)
	const consentId = own.consentId ?? other.consentId
	await queries.fillContact(sql, accountId, { ...own, firstName: named.firstName, lastName, consentId })
	if (own.groupId === null && other.groupId !== null)
		await moveContacts(sql, accountId, { ids: [own.id], groupId: other.groupId })
	await deleteContacts(sql, accountId, [other.id])
}

/** Opts `into` out when `from` is opted out. */
async function carryOptOut(sql: Sql, accountId: AccountId, { from, into }: SamePerson): Promise<void> {
	const statements = await listStatements(sql, accountId, [from, into])
	const optOut = statements.find(({ number, optedOut }) => number === from && optedOut)
	if (!optOut || statements.some(({ number, optedOut }) => number === into && optedOut)) return
	const because: OptOutReason = optOut.because
	await applyOptOuts(sql, accountId, [{ number: into, optedOut: true, because, at: await getNow(sql) }])
}

/**
 * Joins the contacts of two spellings of one number, and moves the opt-out history of `from` to `into`. Returns the
 * first name that the contact of `into` had when two contacts were joined, else null.
 */
export async function joinSpellings(sql: Sql, accountId: AccountId, same: SamePerson): Promise<string | null> {
	const name = await joinContacts(sql, accountId, same)
	await queries.moveOptOutHistory(sql, accountId, same)
	return name
}

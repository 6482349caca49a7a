import { MAX_TAGS_OF_CONTACT } from '#features/contacts/custom-fields.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { listStatements, listStatementsUntil, type OptOutStatement } from '../opt-outs/opt-out-queries.ts'
import { applyOptOutsBeside, isLater, lockOptOutsOfPeople } from '../opt-outs/opt-outs.ts'
import { deleteContacts, moveContacts } from './change-queries.ts'
import * as queries from './join-queries.ts'
import type { JoinedContact } from './join-queries.ts'

/** Two numbers or WhatsApp user ids of one person. */
export interface SamePerson {
	from: string
	into: string
	/** Time since which `from` has a next owner, who keeps later contacts and opt-outs; null or absent without one. */
	until?: Date | null
	/** Time since which `from` is this person's; null or absent when no earlier owner is known. */
	since?: Date | null
	/** Time at which `from` became `into`; null or absent for two numbers or ids at the same time. */
	changedAt?: Date | null
}

/**
 * Joins the contacts of people with two numbers under the numbers `into`, one after the other, in the caller's transaction. A
 * user id has no contact, so only its opt-out is copied. The contact of `into` keeps its name (unless the name is only
 * digits), group, consent and values; gaps are filled from the other contact, and tags are merged. An opt-out of either
 * number applies to the joined contact. Applies the statements `said` too, so that all rows are locked in one order.
 *
 * Returns the changed opt-outs, and for each person the first name that the contact of `into` had when two contacts were joined,
 * else null.
 *
 * Lock order: `opt_outs` by number, `contacts` by id, `contact_counts`. Opt-outs, imports and edits of contacts keep it too;
 * a webhook has locked `chats` before, by key.
 */
export async function joinContacts(
	sql: Sql,
	accountId: AccountId,
	{ people, said }: { people: readonly SamePerson[]; said: readonly OptOutStatement[] },
): Promise<{ names: (string | null)[]; changed: OptOutStatement[] }> {
	const keys = [...new Set(people.flatMap(({ from, into }) => [from, into]))]
	await lockOptOutsOfPeople(sql, accountId, [...new Set([...keys, ...said.map(({ number }) => number)])])
	const carried = await carriedOptOuts(sql, accountId, { keys, people, said })
	const changed = await applyOptOutsBeside(sql, accountId, { given: [...said, ...carried], others: keys })
	await queries.lockContacts(sql, accountId, keys)
	const names: (string | null)[] = []
	for (const person of people) names.push(await joinPair(sql, accountId, person))
	return { names, changed }
}

async function joinPair(
	sql: Sql,
	accountId: AccountId,
	{ from, into, until = null }: SamePerson,
): Promise<string | null> {
	if (isUserId(from) || isUserId(into)) return null
	const contacts = await queries.lockContacts(sql, accountId, [from, into])
	const [other, own] = [from, into].map((number) => contacts.find((contact) => contact.number === number))
	if (!other || (until !== null && other.createdAt > until)) return null
	if (own) await mergeInto(sql, accountId, { other, own })
	else if (!(await queries.renumberContact(sql, accountId, { ...other, number: into })))
		return joinPair(sql, accountId, { from, into, until })
	return own ? own.firstName : null
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

interface Carrying {
	keys: readonly string[]
	people: readonly SamePerson[]
	/** Statements that are applied at the same time. */
	said: readonly OptOutStatement[]
}

/**
 * Returns the opt-outs to copy from each `from` to its `into`, through chains of changes too. Copies none to an `into` that
 * is opted out, or has opted in since the change. When `from` has a next owner whose statement replaced the person's, reads
 * the person's opt-out from the history. Does not copy an opt-out from before `since`, which is an earlier owner's.
 */
async function carriedOptOuts(
	sql: Sql,
	accountId: AccountId,
	{ keys, people, said }: Carrying,
): Promise<OptOutStatement[]> {
	const statements = new Map((await listStatements(sql, accountId, keys)).map((one) => [one.number, one]))
	for (const one of said) if (isLater(one, statements.get(one.number))) statements.set(one.number, one)
	const divided = people.flatMap(({ from, until }) => (until ? [{ number: from, at: until }] : []))
	const earlier = new Map((await listStatementsUntil(sql, accountId, divided)).map((one) => [one.number, one]))
	const now = await getNow(sql)
	const carried: OptOutStatement[] = []
	for (const { from, into, until = null, since = null, changedAt = null } of people) {
		const last = statements.get(from)
		const isLast = last && (until === null || last.at <= until || carried.includes(last))
		const optOut = isLast ? last : earlier.get(from)
		if (!optOut?.optedOut || statements.get(into)?.optedOut) continue
		if (since !== null && optOut.at <= since) continue
		const at = changedAt === null ? now : new Date(Math.max(changedAt.getTime(), optOut.at.getTime()))
		const statement = { ...optOut, number: into, at }
		if (!isLater(statement, statements.get(into))) continue
		statements.set(into, statement)
		carried.push(statement)
	}
	return carried
}

/**
 * Joins the contacts of two spellings of one number, and moves the opt-out history of `from` to `into`. Returns the
 * first name that the contact of `into` had when two contacts were joined, else null.
 */
export async function joinSpellings(sql: Sql, accountId: AccountId, same: SamePerson): Promise<string | null> {
	const { names } = await joinContacts(sql, accountId, { people: [same], said: [] })
	await queries.moveOptOutHistory(sql, accountId, same)
	return names[0] ?? null
}

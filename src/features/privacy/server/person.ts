import { readNumber } from '#lib/phone/phone-reader.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { problem as libProblem } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { HeldCounts } from '../contract.ts'
import type { PersonalData, PersonFacts } from './parts.ts'

/** A person with all keys that the account knows. */
export interface Person {
	/** The requested key: a number in canonical form, or the WhatsApp user id of a person who hides the number. */
	key: string
	/** The key and all other numbers and ids of the person. */
	names: string[]
}

/** Finds all numbers and ids of a person, in addition to those in `known`. Throws a 400 for an invalid number. */
export async function findPerson(
	{ db, personalData }: { db: Sql; personalData: PersonalData },
	accountId: AccountId,
	{ typed, known = [] }: { typed: string; known?: readonly string[] },
): Promise<Person> {
	const key = isUserId(typed.trim()) ? typed.trim() : readNumber(typed)
	if (key === null) throw libProblem('phone_number_invalid')
	let names = [...new Set([key, ...known])]
	for (const listNames of personalData.names)
		names = [...new Set([...names, ...(await listNames(db, accountId, names))])]
	return { key, names }
}

/** Returns the facts that the account holds about a person, and the number of records by kind. */
export async function findHeld(
	{ db, personalData }: { db: Sql; personalData: PersonalData },
	accountId: AccountId,
	{ names }: Person,
): Promise<PersonFacts & { counts: HeldCounts }> {
	const facts: PersonFacts[] = []
	for (const { find } of personalData.persons) if (find) facts.push(await find(db, accountId, names))
	const joined = Object.assign({}, ...facts) as PersonFacts
	return { ...joined, counts: sumOf(facts.map(({ counts }) => counts)) }
}

/** Joins the counts of parts, each of which counts other records. */
export function sumOf(parts: readonly Partial<HeldCounts>[]): HeldCounts {
	const none = { contacts: 0, consents: 0, chatMessages: 0, files: 0, campaignMessages: 0, notes: 0 }
	return Object.assign(none, ...parts) as HeldCounts
}

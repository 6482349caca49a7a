import { countMessagesTo } from '#features/campaigns/server/person/person-queries.ts'
import { findChatsOf, listChatIdentities } from '#features/chats/server/person-queries.ts'
import { listContactsOf } from '#features/contacts/server/erasure/erased-queries.ts'
import { listSamePeople } from '#features/contacts/server/whatsapp-id-queries.ts'
import { readNumber } from '#lib/phone-reader.ts'
import { formsOf, isUserId } from '#lib/phone.ts'
import { problem as libProblem } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { HeldCounts } from '../contract.ts'

/** A person with all keys that the account knows. */
export interface Person {
	/** The requested key: a number in canonical form, or the WhatsApp user id of a person who hides the number. */
	key: string
	/** The key and all other numbers and ids of the person. */
	names: string[]
}

/** Finds all numbers and ids of a person, in addition to those in `known`. Throws a 400 for an invalid number. */
export async function findPerson(
	sql: Sql,
	accountId: AccountId,
	{ typed, known = [] }: { typed: string; known?: readonly string[] },
): Promise<Person> {
	const key = isUserId(typed.trim()) ? typed.trim() : readNumber(typed)
	if (key === null) throw libProblem('phone_number_invalid')
	const given = [...new Set([key, ...known])]
	const same = await listSamePeople(sql, accountId, given)
	const numbers = [...given, ...same.map((one) => one.same)].flatMap(formsOf)
	return { key, names: [...new Set([...numbers, ...(await listChatIdentities(sql, accountId, numbers))])] }
}

export interface Held {
	counts: HeldCounts
	profileName: string | null
	contactIds: number[]
	consentIds: number[]
	/** Storage keys of the person's files. */
	files: string[]
}

export async function findHeld(sql: Sql, accountId: AccountId, { names }: Person): Promise<Held> {
	const contacts = await listContactsOf(sql, accountId, names)
	const consentIds = contacts.flatMap(({ consentId }) => consentId ?? [])
	const chats = await findChatsOf(sql, accountId, names)
	const counts = {
		contacts: contacts.length,
		consents: consentIds.length,
		chatMessages: chats.messages,
		files: chats.files.length,
		campaignMessages: await countMessagesTo(sql, accountId, names),
	}
	const contactIds = contacts.map(({ id }) => id)
	return { counts, profileName: chats.profileName, contactIds, consentIds, files: chats.files }
}

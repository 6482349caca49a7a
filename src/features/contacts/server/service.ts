import type { Db, OwnerId, Sql } from '#lib/server/db.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { violates } from '#lib/server/violations.ts'
import { findGroup, insertGroup, type Group, type NewGroup } from './group-queries.ts'
import { readNumber } from './numbers.ts'
import * as queries from './queries.ts'
import type { Contact, NewContact } from './queries.ts'

export { readNumber }
export type { Contact, Group, NewContact, NewGroup }

/** A contact as somebody typed it. */
export interface TypedContact {
	firstName: string
	lastName?: string | undefined
	number: string
	/** A group's id. */
	group?: string | null | undefined
}

export async function createContact(db: Db, owner: OwnerId, typed: TypedContact): Promise<Contact> {
	const number = readNumber(typed.number)
	if (number === null) throw new AppError(400, 'Invalid phone number format')
	const contact = {
		firstName: typed.firstName.normalize('NFC'),
		lastName: typed.lastName?.normalize('NFC') || null,
		number,
		groupId: typed.group ? Number(typed.group) : null,
	}
	return queries.insertContact(db, owner, contact).catch(explain)
}

function explain(error: unknown): never {
	if (violates(error, 'contacts_account_id_number_key')) {
		throw new AppError(409, 'A contact with this number already exists')
	}
	if (violates(error, 'contacts_account_id_group_id_fkey')) throw notFound('Contact group')
	throw error
}

/** Adds contacts whose numbers are in the canonical form; those the account has are left out. Returns how many were added. */
export async function insertContacts(sql: Sql, owner: OwnerId, contacts: NewContact[]): Promise<number> {
	return queries.insertContacts(sql, owner, contacts)
}

export async function createGroup(sql: Sql, owner: OwnerId, group: NewGroup): Promise<Group> {
	return insertGroup(sql, owner, group)
}

export async function getGroup(sql: Sql, owner: OwnerId, id: string): Promise<Group> {
	const group = await findGroup(sql, owner, id)
	if (!group) throw notFound('Contact group')
	return group
}

/** Why a recipient is left out of marketing: they replied so, set so in WhatsApp, the network said so, or by hand. */
export type OptOutReason = 'reply' | 'preference' | 'network' | 'manual'

export function optOutNumbers(
	sql: Sql,
	owner: OwnerId,
	optOut: { numbers: string[]; because: OptOutReason },
): Promise<void> {
	return queries.updateOptedOut(sql, owner, optOut)
}

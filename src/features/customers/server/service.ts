import { presentContact } from '#features/contacts/server/service.ts'
import { listSamePeople } from '#features/contacts/server/whatsapp-id-queries.ts'
import { formsOf, type ErasedPerson } from '#lib/phone/phone.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { MAX_NOTES } from '../contract.ts'
import { problem } from '../problems.ts'
import { findContactOf, listLatestCampaigns } from './customer-queries.ts'
import * as notes from './note-queries.ts'

const MAX_CAMPAIGNS = 5

/** Returns the contact, latest campaigns and notes of the customer whose chat has this key. */
export async function describeCustomer(sql: Sql, accountId: AccountId, key: string) {
	const same = await listSamePeople(sql, accountId, [key])
	const numbers = [...new Set([key, ...same.map((one) => one.same)].flatMap(formsOf))]
	const [contact, campaigns, written] = await Promise.all([
		findContactOf(sql, accountId, key),
		listLatestCampaigns(sql, accountId, { numbers, limit: MAX_CAMPAIGNS }),
		listNotesOf(sql, accountId, key),
	])
	return {
		contact: contact ? presentContact(contact) : null,
		campaigns: campaigns.map(({ id, ...campaign }) => ({ _id: id, ...campaign })),
		notes: written,
	}
}

/** A note of a person of the account about the customer whose chat has this key. */
interface NewNote {
	key: string
	text: string
	userId: number
}

/** Throws a 409 when the customer has MAX_NOTES notes. */
export async function addNote(db: Db, accountId: AccountId, note: NewNote) {
	const added = await transaction(db, async (sql) => {
		await notes.lockNotes(sql, accountId, note.key)
		return addNoteIn(sql, accountId, note)
	})
	return presentNote(added)
}

/** Adds a note about a customer whose notes are locked. */
async function addNoteIn(sql: Sql, accountId: AccountId, { key, text, userId }: NewNote): Promise<notes.Note> {
	if ((await notes.countNotes(sql, accountId, [key])) >= MAX_NOTES) throw problem('notes_full')
	const note = await notes.insertNote(sql, accountId, { customer: key, text, userId })
	announceLive(sql, accountId, { kind: 'chat', id: key })
	return note
}

/**
 * Adds a note in the caller's transaction, unless the newest note has the same text, as after a repeated call. Returns true for
 * a new note.
 */
export async function addNewNoteIn(sql: Sql, accountId: AccountId, note: NewNote): Promise<boolean> {
	await notes.lockNotes(sql, accountId, note.key)
	const [newest] = await notes.listNotes(sql, accountId, { keys: [note.key], limit: 1 })
	if (newest?.text === note.text) return false
	await addNoteIn(sql, accountId, note)
	return true
}

export async function removeNote(db: Db, accountId: AccountId, id: string): Promise<void> {
	await transaction(db, async (sql) => {
		const customer = await notes.deleteNote(sql, accountId, id)
		if (customer === undefined) throw notFound('Note')
		announceLive(sql, accountId, { kind: 'chat', id: customer })
	})
}

/** Returns the notes about a customer, the newest first. */
export async function listNotesOf(sql: Sql, accountId: AccountId, key: string) {
	const written = await notes.listNotes(sql, accountId, { keys: [key], limit: MAX_NOTES })
	return written.map(presentNote)
}

/**
 * Moves the notes about a customer to the key that the customer has now; with `until`, only notes written up to that time.
 */
export async function moveNotes(
	sql: Sql,
	accountId: AccountId,
	keys: { from: string; into: string; until?: Date },
): Promise<void> {
	await notes.updateCustomer(sql, accountId, keys)
}

export async function findNotesOf(sql: Sql, accountId: AccountId, names: readonly string[]) {
	return { counts: { notes: await notes.countNotes(sql, accountId, names) } }
}

/** Maximum number of notes in a person's file: several numbers of one person may have MAX_NOTES each. */
const MAX_EXPORTED = 10_000

/** Returns the notes about a person without their authors, for a file that the person may read. */
export async function exportNotesOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<object> {
	const written = await notes.listNotes(sql, accountId, { keys: names, limit: MAX_EXPORTED })
	return { notes: written.map(({ id, text, createdAt }) => ({ id, text, createdAt })) }
}

export async function eraseNotesOf(sql: Sql, accountId: AccountId, { names }: Pick<ErasedPerson, 'names'>) {
	return { notes: await notes.deleteNotesOf(sql, accountId, names) }
}

/** Deletes notes beyond their retention; see `deleteOldNotes`. */
export async function deleteOld(db: Db, accountId: AccountId, old: OldRows): Promise<number> {
	return notes.deleteOldNotes(db, accountId, old)
}

function presentNote({ id, ...note }: notes.Note) {
	return { _id: id, ...note }
}

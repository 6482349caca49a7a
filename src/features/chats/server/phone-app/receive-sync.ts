import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { addAppContacts, removeAppContacts } from '#features/contacts/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { readAppContacts, readHistory } from './app-reader.ts'
import { findAppSettings } from './app-settings-queries.ts'
import { storeAppMessages } from './receive-echoes.ts'

/**
 * Stores earlier chats of the phone app, values of the webhook field "history", if the account has switched that on. As with
 * echoes, nothing reacts to them. Leaves out people who were erased.
 */
export async function receiveHistory(sql: Sql, accountId: AccountId, values: readonly unknown[]): Promise<void> {
	if (!(await findAppSettings(sql, accountId)).history) return
	const read = readHistory(values, await getNow(sql))
	const keys = new Set([...read.messages, ...read.marks].map(({ chat }) => chat))
	const erased = await listErased(sql, accountId, [...keys])
	const isKept = ({ chat }: { chat: string }) => !erased.has(chat)
	const kept = { ...read, messages: read.messages.filter(isKept), marks: read.marks.filter(isKept) }
	await storeAppMessages(sql, accountId, kept)
}

/**
 * Stores contacts of the phone app, values of the webhook field "smb_app_state_sync", if the account has switched that on. They
 * have agreed to nothing, so they get no marketing. Adds no more contacts than an account may have.
 */
export async function receiveAppContacts(
	sql: Sql,
	accountId: AccountId,
	{ values, maxContacts }: { values: readonly unknown[]; maxContacts: number },
): Promise<void> {
	if (!(await findAppSettings(sql, accountId)).contacts) return
	const read = readAppContacts(values)
	const added = read.flatMap(({ number, name }) => (name === null ? [] : [{ number, name }]))
	const removed = read.flatMap(({ number, name }) => (name === null ? [number] : []))
	if (added.length > 0) await addAppContacts(sql, accountId, { contacts: added, maxContacts })
	if (removed.length > 0) await removeAppContacts(sql, accountId, removed)
}

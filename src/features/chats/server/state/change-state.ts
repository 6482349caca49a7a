import { listPeople, lockPerson } from '#features/auth/server/people-queries.ts'
import { problem } from '#features/chats/problems.ts'
import { addNewNoteIn } from '#features/customers/server/service.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { findTypedChat } from '../chat-key.ts'
import * as queries from './state-queries.ts'

/** A change of the person who has a chat. */
export interface Assignment {
	number: string
	/** The person who gets the chat; null makes it unassigned. */
	to: number | null
	/** The assignee when the caller decided; null for none. */
	from: number | null
	/** Note to the person who gets the chat. */
	note?: string | undefined
	/** The person who assigns. */
	userId: number
}

/**
 * Gives a chat to a person, or makes it unassigned. A person who only answers does not become the assignee. A repeated call
 * changes nothing. Throws 409 when the chat has another assignee than the caller saw, so that of two people who take a chat at
 * once one gets it.
 */
export async function assignChat(
	db: Db,
	accountId: AccountId,
	{ number, to, from, note, userId }: Assignment,
): Promise<void> {
	await changeState(db, accountId, {
		number,
		async before(sql) {
			if (to !== null && !(await lockPerson(sql, accountId, to))) throw problem('assignee_not_found')
		},
		async apply(sql, key, state) {
			const isDone = state.assignedTo === to
			if (!isDone && state.assignedTo !== from) {
				const people = await listPeople(sql, accountId)
				const name = people.find(({ id }) => id === state.assignedTo)?.name ?? null
				throw problem('chat_changed_hands', { name })
			}
			if (!isDone) await queries.updateAssignee(sql, accountId, { key, to })
			const isNoted = Boolean(note) && (await addNewNoteIn(sql, accountId, { key, text: note ?? '', userId }))
			return isNoted || !isDone
		},
	})
}

/** Closes a chat, or opens it again. A repeated call changes nothing. Throws 409 for a chat with unread messages. */
export async function setClosed(
	db: Db,
	accountId: AccountId,
	{ number, isClosed }: { number: string; isClosed: boolean },
): Promise<void> {
	await changeState(db, accountId, {
		number,
		async apply(sql, key, state) {
			if (state.isClosed === isClosed) return false
			if (isClosed && state.unread > 0) throw problem('chat_has_unread')
			await queries.updateClosed(sql, accountId, { key, isClosed })
			return true
		},
	})
}

interface StateChange {
	number: string
	/** Locks people, before the chat is locked: their removal locks them in this order. */
	before?: (sql: Sql) => Promise<void>
	/** Returns true when the chat has changed. */
	apply: (sql: Sql, key: string, state: queries.ChatState) => Promise<boolean>
}

/** Runs a change of a locked chat and announces it. Throws 404 without a chat. */
function changeState(db: Db, accountId: AccountId, { number, before, apply }: StateChange): Promise<void> {
	return retriedTransaction(db, async (sql) => {
		await before?.(sql)
		const { key } = await findTypedChat(sql, accountId, number)
		const state = await queries.lockState(sql, accountId, key)
		if (!state) throw problem('chat_not_found')
		if (await apply(sql, key, state)) announceLive(sql, accountId, { kind: 'chat', id: key })
	})
}

/** Makes the chats of removed colleagues unassigned. */
export async function unassignChats(sql: Sql, accountId: AccountId, userIds: readonly number[]): Promise<void> {
	if ((await queries.clearAssignees(sql, accountId, userIds)) > 0) announceLive(sql, accountId, { kind: 'chat' })
}

import { dialledForm } from '#lib/phone/phone.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import * as queries from './join-chat-queries.ts'

/** Merges an account's chats under WhatsApp's own forms of numbers into the chats under the dialled numbers. */
export async function joinChats(db: Db, accountId: AccountId): Promise<void> {
	for (const from of await queries.listWhatsappForms(db, accountId)) {
		const into = dialledForm(from)
		if (into !== from) await retriedTransaction(db, (sql) => queries.joinChat(sql, accountId, { from, into }))
	}
}

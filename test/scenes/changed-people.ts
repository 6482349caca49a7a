import { chats } from '#features/chats/contract.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { campaignRow } from '../factories.ts'
import type { TestApp } from '../http-app.ts'

export const [A, B, C] = ['919811122091', '919811122092', '919811122093'] as const
export const [OLD, NEW] = ['IN.old1', 'IN.new1'] as const
export const NOW = Math.floor(Date.now() / 1000)

let wamids = 0

/** Returns a value with one message; `from` is a number or a user id, `ago` in seconds. */
export function message(from: string | null, type: string, content: unknown, { ago = 50, ...given } = {}) {
	const sender = from === null ? {} : from.includes('.') ? { from_user_id: from } : { from }
	const id = `wamid.people${++wamids}`
	return { messages: [{ ...sender, id, timestamp: String(NOW - ago), type, [type]: content, ...given }] }
}

export const text = (from: string, body: string, given: { ago?: number; from_user_id?: string } = {}) =>
	message(from, 'text', { body }, given)
export const moved = (from: string, into: string, ago: number) =>
	message(from, 'system', { type: 'user_changed_number', wa_id: into, body: 'Changed' }, { ago })
export const renewed = (system: object, from: string | null = null, ago = 50) =>
	message(from, 'system', { type: 'user_changed_user_id', body: 'Changed', ...system }, { ago })

/** Returns functions that create accounts, give them webhooks about people, and read what is stored about these people. */
export function changedPeople(app: TestApp) {
	const { db } = app.context
	async function newShop() {
		const shop = await app.signIn('user')
		const { accountId } = shop
		const take = (...values: unknown[]) => transaction(db, (sql) => receiveMessages(sql, accountId, values))
		const texts = async (number: string) => {
			const { body } = await app.call(chats.messages, { params: { number }, query: { limit: 50 } }, shop)
			return body.messages.map((one) => one.text)
		}
		const keys = async () => {
			const rows = await db<{ key: string }[]>`select key from chats where account_id = ${accountId} order by key`
			return rows.map(({ key }) => key)
		}
		const contacts = async () => {
			const rows = await db<{ number: string; name: string; out: boolean }[]>`
				select number, first_name as name, opted_out_at is not null as out from contacts
				where account_id = ${accountId} order by number
			`
			return rows.map(({ number, name, out }) => [number, name, out])
		}
		const optedOut = async () => {
			const rows = await db<{ number: string }[]>`
				select number from opt_outs where account_id = ${accountId} and is_opted_out order by number
			`
			return rows.map(({ number }) => number)
		}
		return { ...shop, take, texts, keys, contacts, optedOut }
	}
	const add = (accountId: AccountId, firstName: string, number: string) =>
		insertContacts(db, accountId, [{ firstName, lastName: null, number, groupId: null }])
	/** Inserts a campaign with a delivered message to each number, sent `ago` seconds ago. */
	async function campaignTo(accountId: AccountId, numbers: string[], ago: number): Promise<number> {
		const id = await campaignRow(db, accountId)
		const at = new Date((NOW - ago) * 1000)
		await db`update campaigns set created_at = ${at}, updated_at = now() where account_id = ${accountId} and id = ${id}`
		for (const [index, number] of numbers.entries())
			await db`
				insert into campaign_messages (account_id, campaign_id, seq, number, name, status, sent_at, status_at, arrived_at)
				values (${accountId}, ${id}, ${index + 1}, ${number}, ${`For ${number}`}, 'read', ${at}, ${at}, ${at})
			`
		return id
	}
	return { newShop, add, campaignTo }
}

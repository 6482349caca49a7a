import type { AppContext } from '#app/server/context.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { updateLastLines } from '#features/chats/server/sending/outbound-queries.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { addUsage } from '#features/delivery/server/settlement/count-queries.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import type { DemoNetwork } from './network.ts'

interface DemoChat {
	/** Index among the account's contacts; null for a number that is not a contact. */
	contact: number | null
	name: string
	isRead: boolean
	/** Text that the customer sends through the simulated network when the demo is created, which opens the 24-hour window. */
	says?: string
	/** Lines of the chat: their authors, their age in minutes, and their texts. */
	lines: [from: 'me' | 'other', minutesAgo: number, text: string][]
}

const CHATS: DemoChat[] = [
	{
		contact: 3,
		name: 'Asha',
		isRead: false,
		says: 'And do you take UPI?',
		lines: [
			['other', 95, 'Namaste! Is the blue Banarasi from the festive sale still there?'],
			['me', 90, 'Namaste! Yes, two pieces are left in the Pune store.'],
			['other', 6, 'Wonderful. Can you keep one for me till the evening?'],
		],
	},
	{
		contact: 17,
		name: 'Rahul',
		isRead: true,
		lines: [
			['other', 1700, 'My order MT-2041 has not arrived yet'],
			['me', 1690, 'We are sorry for the delay. The courier will deliver it tomorrow before noon.'],
			['other', 1680, 'Thank you 🙏'],
		],
	},
	{
		contact: 40,
		name: 'Farah',
		isRead: true,
		lines: [
			['other', 3000, 'What are the timings on Sunday?'],
			['me', 2990, 'We are open from 11 am to 8 pm on Sundays, too.'],
		],
	},
	{
		contact: null,
		name: 'Vikram Singh',
		isRead: false,
		says: 'Do you have wholesale prices for 50 dupattas?',
		lines: [['other', 42, 'Hello']],
	},
]

/** Writes a few chats of the demo user's account with the functions that the product uses for real ones. */
export async function createDemoChats(
	{ db }: Pick<AppContext, 'db'>,
	accountId: AccountId,
	network: Pick<DemoNetwork, 'write'>,
): Promise<void> {
	for (const [index, chat] of CHATS.entries()) {
		const key = (await numberOf(db, accountId, chat.contact)) ?? `91981234567${index}`
		await transaction(db, async (sql) => {
			for (const [line, [from, minutesAgo, text]] of chat.lines.entries()) {
				const at = new Date(Date.now() - minutesAgo * MINUTE_MS)
				const wamid = `wamid.DEMO.chat${index}.${line}`
				if (from === 'other')
					await receiveMessages(sql, accountId, [inbound(key, { wamid, at, text, name: chat.name })])
				else await insertAnswer(sql, accountId, { key, wamid, at, text })
			}
			if (chat.isRead) await sql`update chats set unread = 0 where account_id = ${accountId} and key = ${key}`
		})
		if (chat.says) await network.write({ from: key, name: chat.name, text: chat.says })
	}
}

async function numberOf(sql: Sql, accountId: AccountId, place: number | null): Promise<string | undefined> {
	if (place === null) return undefined
	const [row] = await sql<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} order by id offset ${place} limit 1
	`
	return row?.number
}

/** Returns a customer's text message as parsed from a webhook. */
export function inbound(
	from: string,
	{ wamid, at, text, name }: { wamid: string; at: Date; text: string; name: string },
) {
	const timestamp = String(Math.floor(at.getTime() / 1000))
	return {
		contacts: [{ profile: { name }, wa_id: from }],
		messages: [{ from, id: wamid, timestamp, type: 'text', text: { body: text } }],
	}
}

/** Writes an outgoing message with the status `read` by default. Returns its id; 0 if it existed already. */
export async function insertAnswer(
	sql: Sql,
	accountId: AccountId,
	{ key, wamid, at, text, status = 'read' }: { key: string; wamid: string; at: Date; text: string; status?: string },
): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into chat_messages (account_id, chat, direction, kind, body, wamid, status, at, claimed_at)
		values (${accountId}, ${key}, 'out', 'text', ${JSON.stringify({ text })}, ${wamid}, 'pending', ${at}, ${at})
		on conflict (account_id, wamid) do nothing
		returning id
	`
	if (!row) return 0
	await updateLastLines(sql, accountId, new Map([[key, { line: text, at }]]))
	const timestamp = String(Math.floor(at.getTime() / 1000))
	const pricing = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
	const statusUpdates = [{ id: wamid, status, timestamp, biz_opaque_callback_data: `chat:${row.id}`, pricing }]
	const { usage } = await settleChatStatusUpdates(sql, accountId, readStatusUpdates(statusUpdates))
	if (usage.length > 0) await addUsage(sql, accountId, usage)
	return row.id
}

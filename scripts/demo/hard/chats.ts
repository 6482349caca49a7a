import { readFile } from 'node:fs/promises'
import type { AppContext } from '#app/server/context.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { inbound, insertAnswer } from '../chats.ts'
import { HARD_NAMES, LONG_ERROR, ofLength, unbroken } from './texts.ts'

/** Maximum length of one message. */
const MAX_TEXT_LENGTH = 4096

const LINES: [from: 'me' | 'other', text: string][] = [
	['other', '👨‍👩‍👧‍👦'.repeat(Math.floor(MAX_TEXT_LENGTH / 11))],
	['me', `Here it is: https://shop.example/${unbroken(300)}?utm_source=whatsapp&utm_campaign=${unbroken(80)}`],
	['other', unbroken(300)],
	['other', ofLength('வணக்கம்! எனது ஆர்டர் இன்னும் வரவில்லை. ', MAX_TEXT_LENGTH)],
	['me', 'مرحبا، الطلب رقم MT-2041 سيصل غدا (بين 10:00 و 12:00) إن شاء الله.'],
	['other', '\u202Edesrever si sihT\u202C and this is not'],
	['other', '🙏'],
	['me', `Line one\n\n${Array.from({ length: 40 }, (_, line) => `• item ${line + 1}`).join('\n')}`],
]

/** Creates a chat with every person who has a hard name; the chat with the last of them is the longest. Returns its key. */
export async function createHardChats(context: AppContext, accountId: AccountId): Promise<string> {
	const { db } = context
	const people = await db<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} order by id desc limit 25
	`
	const keys = people.map(({ number }) => number)
	for (const [index, key] of keys.entries()) {
		const name = HARD_NAMES[index % HARD_NAMES.length] ?? ''
		const lines = index === keys.length - 1 ? LINES : LINES.slice(index % LINES.length).slice(0, 2)
		await createChat(context, accountId, { key, name, lines, minutesAgo: (keys.length - index) * 45 })
	}
	const longest = keys.at(-1) ?? ''
	await addFiles(context, accountId, longest)
	await transaction(db, (sql) => failAnswer(sql, accountId, longest))
	return longest
}

interface Chat {
	key: string
	name: string
	lines: typeof LINES
	/** Age of the first line in minutes; each further line is one minute younger. */
	minutesAgo: number
}

async function createChat(
	{ db }: AppContext,
	accountId: AccountId,
	{ key, name, lines, minutesAgo }: Chat,
): Promise<void> {
	await transaction(db, async (sql) => {
		for (const [line, [from, text]] of lines.entries()) {
			const at = new Date(Date.now() - (minutesAgo - line) * MINUTE_MS)
			const wamid = `wamid.HARD.${key}.${line}`
			if (from === 'other') await receiveMessages(sql, accountId, [inbound(key, { wamid, at, text, name })])
			else await insertAnswer(sql, accountId, { key, wamid, at, text })
		}
	})
}

/**
 * Adds a picture with a long caption and two documents with long names: one whose file exists and one whose file is missing.
 */
async function addFiles({ db, storage }: AppContext, accountId: AccountId, key: string): Promise<void> {
	const picture = `${accountId}/chats/hard.jpg`
	const document = `${accountId}/chats/hard.pdf`
	await storage.put(picture, await readFile(new URL('../festive-sale.jpg', import.meta.url)))
	await storage.put(document, Buffer.from('%PDF-1.4\n%%EOF\n'))
	const files = [
		{ type: 'image', mime_type: 'image/jpeg', caption: ofLength('தீபாவளி வாழ்த்துக்கள் 🪔 ', 1024), stored: picture },
		{ type: 'document', mime_type: 'application/pdf', filename: `${unbroken(120)}.pdf`, stored: document },
		{ type: 'document', mime_type: 'application/pdf', filename: `\u202Egpj.${'فاتورة_'.repeat(12)}.pdf`, stored: null },
	]
	for (const [index, { type, stored, ...file }] of files.entries()) {
		const wamid = `wamid.HARD.file.${index}`
		const timestamp = String(Math.floor(Date.now() / 1000) - 300 + index)
		const message = { from: key, id: wamid, timestamp, type, [type]: { id: String(index + 1), ...file } }
		await transaction(db, async (sql) => {
			await receiveMessages(sql, accountId, [{ messages: [message] }])
			await sql`
				update chat_messages
				set media_state = ${stored ? 'ready' : 'unavailable'}, media_key = ${stored}
				where account_id = ${accountId} and wamid = ${wamid}
			`
		})
	}
}

async function failAnswer(sql: Sql, accountId: AccountId, key: string): Promise<void> {
	const at = new Date()
	const wamid = 'wamid.HARD.failed'
	const id = await insertAnswer(sql, accountId, { key, wamid, at, text: unbroken(200), status: 'sent' })
	const timestamp = String(Math.floor(at.getTime() / 1000))
	const error = { code: 999_999, title: LONG_ERROR, message: LONG_ERROR, error_data: { details: LONG_ERROR } }
	const statusUpdate = {
		id: wamid,
		status: 'failed',
		timestamp,
		errors: [error],
		biz_opaque_callback_data: `chat:${id}`,
	}
	await settleChatStatusUpdates(sql, accountId, readStatusUpdates([statusUpdate]))
}

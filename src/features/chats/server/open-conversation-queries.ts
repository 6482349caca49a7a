import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

/** The condition on `chats` in which WhatsApp counts no new conversation. The minute covers the time until a message is sent. */
const IS_OPEN = verbatim(`window_expires_at > now() + interval '1 minute'`)

/** The people whose conversation with an account is open. */
export const conversations = {
	/** Returns the given numbers whose conversation is open. */
	async among(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<Set<string>> {
		if (numbers.length === 0) return new Set()
		const rows = await sql<{ key: string }[]>`
			select key from chats where account_id = ${accountId} and key = any(${numbers}::text[]) and ${IS_OPEN}
		`
		return new Set(rows.map(({ key }) => key))
	},

	/** Lists up to `most` numbers whose conversation is open, the latest first. */
	async list(sql: Sql, accountId: AccountId, most: number): Promise<string[]> {
		const rows = await sql<{ key: string }[]>`
			select key from chats
			where account_id = ${accountId} and last_at > now() - interval '25 hours' and ${IS_OPEN}
			order by last_at desc limit ${most}
		`
		return rows.map(({ key }) => key)
	},
}

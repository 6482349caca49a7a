import { announceWebhooks } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import * as queries from './queries.ts'
import type { WebhookAccount } from './queries.ts'

export type { WebhookAccount }

/** Makes the unguessable last part of an account's webhook address, which also says whose it is. */
export function webhookKey(owner: OwnerId, random: string): string {
	return `${owner}-${random}`
}

/** The account that a webhook address belongs to, or null when the key is nobody's. */
export async function findWebhookAccount(sql: Sql, key: string): Promise<WebhookAccount | null> {
	const accountId = /^([1-9]\d{0,14})-/.exec(key)?.[1]
	if (!accountId) return null
	return (await queries.findWebhookAccountAllOwners(sql, { accountId: Number(accountId), whole: key })) ?? null
}

/**
 * Keeps a delivery until it has taken effect, and wakes whoever processes them. Once this has returned, Meta may be told
 * that it was received. What is no JSON is kept for a person to look at: refused, it would come again for seven days.
 */
export async function insertDelivery(db: Db, owner: OwnerId, body: string): Promise<void> {
	const keptBecause = isJson(body) ? null : 'not JSON'
	await transaction(db, async (sql) => {
		// PostgreSQL's text cannot hold NUL, and JSON holds none.
		await queries.insertDelivery(sql, owner, { body: body.replaceAll('\0', '\u{FFFD}'), keptBecause })
		if (!keptBecause) announceWebhooks(sql, owner)
	})
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text)
		return true
	} catch {
		return false
	}
}

import type { OwnerId, Sql } from '#lib/server/db.ts'

/** One change of a wallet. The sum of both changes is what came in (positive) or was spent (negative). */
export interface Posting {
	kind: 'recharge' | 'hold' | 'capture' | 'release' | 'refund'
	/** Unique per account: posting it again does nothing. */
	reference: string
	paise: number
	campaignId?: number
	messageCount?: number
	notes?: string | undefined
	adminId?: number
}

export interface Wallet {
	availablePaise: number
	heldPaise: number
}

/** How each kind moves money: [available, held] per paisa. */
const effects = {
	recharge: [1, 0],
	hold: [-1, 1],
	capture: [0, -1],
	release: [1, -1],
	refund: [1, 0],
} as const

/** Gives a new account its empty wallet. */
export async function openWallet(sql: Sql, owner: OwnerId): Promise<void> {
	await sql`insert into wallets (account_id) values (${owner}) on conflict do nothing`
}

/** What stands in the wallet now. An account without one has nothing. */
export async function getWallet(sql: Sql, owner: OwnerId): Promise<Wallet> {
	const [row] = await sql<Wallet[]>`
		select available_paise as "availablePaise", held_paise as "heldPaise" from wallets where account_id = ${owner}
	`
	return row ?? { availablePaise: 0, heldPaise: 0 }
}

/**
 * Posts one entry and moves the wallet with it, in one statement; call it inside the transaction of what the money is for.
 * Returns the wallet after it, or null when there is not enough: then nothing has been written.
 * A reference posted before changes nothing and returns the wallet as it is. When two transactions post the same
 * reference at once, the later one fails on the unique key and rolls back whole.
 */
export async function post(sql: Sql, owner: OwnerId, posting: Posting): Promise<Wallet | null> {
	const [available, held] = effects[posting.kind]
	const change = { available: available * posting.paise, held: held * posting.paise }
	const [after] = await sql<Wallet[]>`
		with moved as (
			update wallets
			set available_paise = available_paise + ${change.available}, held_paise = held_paise + ${change.held}
			where account_id = ${owner}
				and available_paise + ${change.available} >= 0 and held_paise + ${change.held} >= 0
				and not exists (
					select 1 from ledger_entries where account_id = ${owner} and reference = ${posting.reference}
				)
			returning available_paise, held_paise
		)
		insert into ledger_entries (
			account_id, kind, reference, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, campaign_id, message_count, notes, admin_id
		)
		select ${owner}, ${posting.kind}, ${posting.reference}, ${change.available}, ${change.held},
			available_paise, held_paise, ${posting.campaignId ?? null}, ${posting.messageCount ?? null},
			${posting.notes ?? null}, ${posting.adminId ?? null}
		from moved
		returning available_after_paise as "availablePaise", held_after_paise as "heldPaise"
	`
	if (after) return after
	const known = await sql`
		select 1 from ledger_entries where account_id = ${owner} and reference = ${posting.reference}
	`
	return known.length > 0 ? getWallet(sql, owner) : null
}

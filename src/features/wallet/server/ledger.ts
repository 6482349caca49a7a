import { ownerChannel, publish } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/indian-today.ts'

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

/** Accounts whose balance has fallen below what they chose. */
export const lowBalanceChannel = ownerChannel('low_balance')

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

/** The wallet's balances; zero for an account without a wallet. */
export async function getWallet(sql: Sql, owner: OwnerId): Promise<Wallet> {
	const [row] = await sql<Wallet[]>`
		select available_paise as "availablePaise", held_paise as "heldPaise" from wallets where account_id = ${owner}
	`
	return row ?? { availablePaise: 0, heldPaise: 0 }
}

/**
 * Posts one entry, moves the wallet and its statement with it, in one statement; call it inside the transaction of what
 * the money is for. Returns the wallet after it, or null when there is not enough: then nothing has been written.
 * A reference posted before changes nothing and returns the wallet as it is. When two transactions post the same
 * reference at once, the later one fails on the unique key and rolls back whole.
 */
export async function post(sql: Sql, owner: OwnerId, posting: Posting): Promise<Wallet | null> {
	const [available, held] = effects[posting.kind]
	const change = { available: available * posting.paise, held: held * posting.paise }
	const startsPart = posting.kind === 'recharge' || posting.kind === 'hold'
	const [after] = await sql<(Wallet & { isNewlyLow: boolean })[]>`
		with moved as (
			update wallets
			set available_paise = available_paise + ${change.available}, held_paise = held_paise + ${change.held},
				statement_part = statement_part + ${startsPart ? 1 : 0},
				low_notified_at = case when available_paise + ${change.available} < low_balance_paise then low_notified_at end
			where account_id = ${owner}
				and available_paise + ${change.available} >= 0 and held_paise + ${change.held} >= 0
				and not exists (
					select 1 from ledger_entries where account_id = ${owner} and reference = ${posting.reference}
				)
			returning available_paise, held_paise, statement_part, available_paise < low_balance_paise and low_notified_at is null as is_low
		), entry as (
			insert into ledger_entries (
				account_id, kind, reference, available_change_paise, held_change_paise,
				available_after_paise, held_after_paise, campaign_id, message_count, notes, admin_id
			)
			select ${owner}, ${posting.kind}, ${posting.reference}, ${change.available}, ${change.held},
				available_paise, held_paise, ${posting.campaignId ?? null}, ${posting.messageCount ?? null},
				${posting.notes ?? null}, ${posting.adminId ?? null}
			from moved
			returning id, available_after_paise, held_after_paise
		), line as (
			insert into statement_lines as l (
				account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
				available_after_paise, held_after_paise, message_count
			)
			select ${owner}, e.id, m.statement_part, ${posting.kind}, ${posting.campaignId ?? 0},
				${INDIAN_TODAY}, ${change.available}, ${change.held},
				e.available_after_paise, e.held_after_paise, ${posting.messageCount ?? null}
			from entry e
			cross join moved m
			on conflict (account_id, part, kind, campaign_id, day) do update
			set available_change_paise = l.available_change_paise + excluded.available_change_paise,
				held_change_paise = l.held_change_paise + excluded.held_change_paise,
				message_count = l.message_count + excluded.message_count,
				last_at = excluded.last_at
		)
		select m.available_paise as "availablePaise", m.held_paise as "heldPaise", m.is_low as "isNewlyLow"
		from moved m
	`
	if (after) {
		const { isNewlyLow, ...wallet } = after
		// Only spending is worth a warning.
		if (isNewlyLow && posting.kind === 'hold') publish(sql, lowBalanceChannel, owner)
		return wallet
	}
	const known = await sql`
		select 1 from ledger_entries where account_id = ${owner} and reference = ${posting.reference}
	`
	return known.length > 0 ? getWallet(sql, owner) : null
}

/** From now on the owner is warned below this balance; 0 is never. A warning given for another balance is forgotten. */
export async function setLowBalance(sql: Sql, owner: OwnerId, paise: number): Promise<void> {
	await sql`
		update wallets set low_balance_paise = ${paise}, low_notified_at = null
		where account_id = ${owner} and low_balance_paise <> ${paise}
	`
}

/** Records that the owner is warned, and returns the amounts; undefined when no warning is due or another process gave it. */
export async function takeLowWarning(
	sql: Sql,
	owner: OwnerId,
): Promise<{ availablePaise: number; lowBalancePaise: number } | undefined> {
	const [row] = await sql<{ availablePaise: number; lowBalancePaise: number }[]>`
		update wallets set low_notified_at = now()
		where account_id = ${owner} and low_notified_at is null and available_paise < low_balance_paise and statement_part > 0
		returning available_paise as "availablePaise", low_balance_paise as "lowBalancePaise"
	`
	return row
}

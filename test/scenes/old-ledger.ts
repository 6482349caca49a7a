import assert from 'node:assert/strict'
import type { Posting } from '#features/wallet/server/ledger.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

/** Effect of each kind on [available, on hold], per paisa. */
const EFFECTS = {
	recharge: [1, 0],
	hold: [-1, 1],
	capture: [0, -1],
	release: [1, -1],
	refund: [1, 0],
	reversal: [-1, 0],
} as const

type OldPosting = Pick<Posting, 'kind' | 'reference' | 'paise' | 'campaignId' | 'messageCount'>

/** Posts an entry as releases before the migration `statement_parts` did: every recharge and hold begins a part. */
export async function postBeforeParts(sql: Sql, accountId: AccountId, posting: OldPosting): Promise<void> {
	const { kind, reference, paise, campaignId, messageCount = null } = posting
	const available = EFFECTS[kind][0] * paise
	const held = EFFECTS[kind][1] * paise
	const [wallet] = await sql<{ available: number; held: number; part: number }[]>`
		update wallets
		set available_paise = available_paise + ${available}, held_paise = held_paise + ${held},
			statement_part = statement_part + ${kind === 'recharge' || kind === 'hold' ? 1 : 0}
		where account_id = ${accountId}
		returning available_paise as available, held_paise as held, statement_part as part
	`
	assert.ok(wallet)
	const [entry] = await sql<{ id: number }[]>`
		insert into ledger_entries (
			account_id, kind, reference, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, campaign_id, message_count
		)
		values (
			${accountId}, ${kind}, ${reference}, ${available}, ${held},
			${wallet.available}, ${wallet.held}, ${campaignId ?? null}, ${messageCount}
		)
		returning id
	`
	assert.ok(entry)
	await sql`
		insert into statement_lines as l (
			account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, message_count
		)
		values (
			${accountId}, ${entry.id}, ${wallet.part}, ${kind}, ${campaignId ?? 0}, ${INDIAN_TODAY}, ${available}, ${held},
			${wallet.available}, ${wallet.held}, ${messageCount}
		)
		on conflict (account_id, part, kind, campaign_id, day) do update
		set available_change_paise = l.available_change_paise + excluded.available_change_paise,
			held_change_paise = l.held_change_paise + excluded.held_change_paise,
			message_count = l.message_count + excluded.message_count, last_at = excluded.last_at
	`
}

import type { AccountId, Sql } from '#lib/server/db.ts'
import { allowedShare, FLOOR_MESSAGES, type RefundReason } from '../rules.ts'
import * as queries from './refund-queries.ts'
import type { WaitingRefunds, RefundHistory } from './refund-queries.ts'

type Priced = Pick<WaitingRefunds, 'campaignId' | 'pricePaise'>

/** Reasons of messages that failed. A message of another reason was delivered, and no delivery undoes its refund. */
const FAILURE_REASONS = ['reported', 'silence'] as const satisfies readonly RefundReason[]

/**
 * Decides which messages that failed after acceptance, or that Meta does not charge, are refunded automatically and which
 * wait for an admin. With an account's app secret, status updates can be forged or suppressed, so refunds based on them
 * stay within the usual share. Decides message by message in the order of their steps, so that the size of batches does not change the
 * result. Create it with the wallet locked, and call `save` before the transaction ends.
 */
export class Refunds {
	readonly availablePaise: number
	#history: RefundHistory
	#waiting: Map<string, WaitingRefunds>
	#changed = new Set<WaitingRefunds>()
	/** Automatic refunds of this batch, for the day's totals. */
	readonly given = { refundedCount: 0, refundedPaise: 0 }

	constructor(known: { availablePaise: number; history: RefundHistory; waiting: WaitingRefunds[] }) {
		this.availablePaise = known.availablePaise
		this.#history = { ...known.history }
		this.#waiting = new Map(known.waiting.map((row) => [keyOf(row), row]))
	}

	/** Counts a charge of this batch. */
	charge(paise: number): void {
		this.#history.chargedPaise += paise
	}

	/** Returns true when the message is refunded now; false when it waits and stays charged. */
	giveBack(message: Priced & { reason: RefundReason }): boolean {
		const { pricePaise } = message
		if (pricePaise === 0) return true
		if (!isWithinMeasure(this.#history, pricePaise)) {
			this.#change(message, { waitingCount: 1 })
			return false
		}
		this.#history.recentCount++
		this.#history.refundedPaise += pricePaise
		this.given.refundedCount++
		this.given.refundedPaise += pricePaise
		return true
	}

	/**
	 * Removes one failed, still charged message, because a message was delivered after all. Returns false when none is
	 * left: its money was refunded.
	 */
	keepCharge({ campaignId, pricePaise }: Priced): boolean {
		// Takes undecided messages first.
		for (const state of ['waitingCount', 'refusedCount'] as const) {
			for (const reason of FAILURE_REASONS) {
				const row = this.#waiting.get(keyOf({ campaignId, pricePaise, reason }))
				if (!row || row[state] === 0) continue
				this.#change(row, { [state]: -1 })
				return true
			}
		}
		return false
	}

	async save(sql: Sql, accountId: AccountId): Promise<void> {
		if (this.#changed.size > 0) await queries.writeWaitingRefunds(sql, accountId, [...this.#changed])
	}

	#change(message: Priced & { reason: RefundReason }, by: { waitingCount?: number; refusedCount?: number }): void {
		const { campaignId, pricePaise, reason } = message
		const row = this.#waiting.get(keyOf(message)) ?? {
			campaignId,
			pricePaise,
			reason,
			waitingCount: 0,
			refusedCount: 0,
		}
		row.waitingCount += by.waitingCount ?? 0
		row.refusedCount += by.refusedCount ?? 0
		this.#waiting.set(keyOf(message), row)
		this.#changed.add(row)
	}
}

interface RefundsOf {
	campaignIds: readonly number[]
	readHistory: (sql: Sql, accountId: AccountId) => Promise<RefundHistory>
}

/** Locks the wallet and reads the history that decides refunds of these campaigns. */
export async function openRefunds(
	sql: Sql,
	accountId: AccountId,
	{ campaignIds, readHistory }: RefundsOf,
): Promise<Refunds> {
	const availablePaise = await queries.lockAvailable(sql, accountId)
	// Separate statements: one statement that waited for the lock would read the other tables in their state before the
	// wait.
	const history = await readHistory(sql, accountId)
	const waiting = await queries.listWaitingRefunds(sql, accountId, campaignIds)
	return new Refunds({ availablePaise, history, waiting })
}

function isWithinMeasure(history: RefundHistory, pricePaise: number): boolean {
	if (history.recentCount < FLOOR_MESSAGES) return true
	return history.refundedPaise + pricePaise <= history.chargedPaise * allowedShare(history)
}

function keyOf({ campaignId, pricePaise, reason }: Priced & { reason: RefundReason }): string {
	return `${campaignId}:${pricePaise}:${reason}`
}

import { marketName, marketOf } from '#features/pricing/markets.ts'
import { recipientPriceOf } from '#features/pricing/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { listOptedOut, type LeavingOut } from './audience-queries.ts'
import { findCapped } from './frequency.ts'
import type { FileRow } from './recipient-file.ts'

/** Returns the reason why a row gets no message; null when it gets one. */
export function reasonOf(
	{ refusal, recipient, doubt }: FileRow,
	{ optedOut, capped, unpriced }: LeftOut,
): string | null {
	if (refusal) return refusal.reason
	if (recipient === null) return doubt
	const { number } = recipient
	if (optedOut.has(number)) return 'Opted out of marketing messages'
	if (capped.has(number)) return 'Got marketing messages recently'
	return unpriced.get(number) ?? null
}

/** Returns true when a valid number gets no message. */
export function isLeftOut(number: string, { optedOut, capped, unpriced }: LeftOut): boolean {
	return optedOut.has(number) || capped.has(number) || unpriced.has(number)
}

export interface LeftOut extends Record<'optedOut' | 'capped', ReadonlySet<string>> {
	/** The reasons of numbers whose market has no price. */
	unpriced: ReadonlyMap<string, string>
}

/** Returns which of these valid numbers are left out, by reason. */
export async function findLeftOut(
	sql: Sql,
	accountId: AccountId,
	{ isMarketing, cap, prices, numbers }: LeavingOut & { numbers: readonly string[] },
): Promise<LeftOut> {
	const optedOut = new Set(isMarketing ? await listOptedOut(sql, accountId, numbers) : [])
	const unpriced = new Map<string, string>()
	if (prices?.abroadPrices)
		for (const number of numbers) {
			const price = recipientPriceOf(prices, number)
			if (typeof price === 'string') unpriced.set(number, UNPRICED_REASONS[price](marketName(marketOf(number))))
		}
	return { optedOut, capped: await findCapped(sql, accountId, { cap, numbers }), unpriced }
}

const UNPRICED_REASONS = {
	blocked: (market: string) => `Messages to ${market} are blocked`,
	no_rate: (market: string) => `Messages to ${market} have no price`,
}

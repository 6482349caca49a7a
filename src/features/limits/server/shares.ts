import type { AccountId } from '#lib/server/db.ts'

/** An account of a portfolio that has messages to send now. */
export interface WaitingAccount {
	accountId: AccountId
	/** Number of its pending messages. */
	wanted: number
}

/** An account among which free places are shared, with the different people whom it has reached within a day. */
type Rival = WaitingAccount & { people: number }

/**
 * Returns the free places that an account may take. Of several accounts with messages to send, those with the fewest people in
 * the moving day come first, until all have equally many. No account keeps a place that it has no message for.
 */
export function shareOfPlaces(
	free: number,
	{ accountId, accounts }: { accountId: AccountId; accounts: readonly Rival[] },
): number {
	const me = accounts.find((one) => one.accountId === accountId)
	if (!me || accounts.length === 1) return free
	const given = (level: number) => accounts.reduce((sum, one) => sum + placesTo(one, level), 0)
	// The highest level of people to which the free places raise all accounts.
	let [low, high] = [0, free + Math.max(...accounts.map(({ people }) => people)) + 1]
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2)
		if (given(middle) <= free) low = middle
		else high = middle
	}
	// When fewer places than accounts are left, gives one place each in the order of the accounts' ids.
	const next = accounts
		.filter((one) => placesTo(one, low + 1) > placesTo(one, low))
		.toSorted((a, b) => Number(a.accountId) - Number(b.accountId))
		.slice(0, free - given(low))
	return placesTo(me, low) + (next.includes(me) ? 1 : 0)
}

/** Returns the places that raise an account to a number of people. */
function placesTo({ people, wanted }: Rival, level: number): number {
	return Math.min(wanted, Math.max(0, level - people))
}

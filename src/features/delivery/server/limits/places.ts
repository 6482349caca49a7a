import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { isCancelled } from '#lib/server/db/scan-plans.ts'
import * as queries from './portfolio-queries.ts'
import { listRivalsAllAccounts, wakeWaiting, type WaitingAccount } from './waiting-queries.ts'

/** The places of a locked portfolio that one account may take. */
export interface OpenPlaces {
	portfolio: string
	/** People whom the portfolio may still reach. */
	free: number
	/** The account's share of them. */
	share: number
	/** The database's time since the lock. */
	at: Date
}

/** Locks the portfolio of a sender with a limit until the transaction ends, and returns the places that are free. */
export async function openPlaces(
	sql: Sql,
	accountId: AccountId,
	{ perDay, ...sender }: queries.SenderLimit & { perDay: number },
): Promise<OpenPlaces> {
	const { portfolio } = sender
	const { isNew, isMoved } = await queries.lockPortfolioAllAccounts(sql, sender)
	if (isMoved) await queries.moveMessagesAllAccounts(sql, sender)
	if (isNew)
		for (const member of await queries.listAccountsOfPortfolioAllAccounts(sql, portfolio))
			await queries.insertSentBefore(sql, member, portfolio)
	if (isNew || isMoved) await queries.recountAllAccounts(sql, portfolio)
	const { people, at } = await queries.expireAllAccounts(sql, portfolio)
	const free = Math.max(0, perDay - people)
	const accounts = free > 0 ? await listReachableRivals(sql, { portfolio, accountId }) : []
	return { portfolio, free, share: shareOfPlaces(free, { accountId, accounts }), at }
}

/**
 * Lists the accounts among which places are shared. Returns none while a machine of a distributed database does not answer, so
 * that this account may take all.
 */
async function listReachableRivals(
	sql: Sql,
	of: { portfolio: string; accountId: AccountId },
): Promise<WaitingAccount[]> {
	await sql`savepoint rivals`
	try {
		return await listRivalsAllAccounts(sql, of)
	} catch (error) {
		if (isCancelled(error)) throw error
		await sql`rollback to savepoint rivals`
		return []
	}
}

/**
 * Takes places for up to `most` messages, in their order, and returns the messages that may be sent. A message to a person who
 * is counted already needs no place; it counts too, since WhatsApp counts a person until a day after the last message.
 */
export async function takePlaces<M extends queries.CountedMessage>(
	sql: Sql,
	accountId: AccountId,
	{ places, messages, most }: { places: OpenPlaces; messages: readonly M[]; most: number },
): Promise<{ taken: M[]; left: number }> {
	const { portfolio, share, at } = places
	if (messages.length === 0) return { taken: [], left: share }
	const numbers = messages.map(({ number }) => number)
	const counted = await queries.listCountedAllAccounts(sql, { portfolio, numbers })
	const added = new Set<string>()
	const taken: M[] = []
	for (const message of messages) {
		if (taken.length >= most) break
		const isNew = !counted.has(message.number) && !added.has(message.number)
		if (isNew && added.size >= share) continue
		if (isNew) added.add(message.number)
		taken.push(message)
	}
	if (taken.length > 0)
		await queries.insertCounted(sql, accountId, { portfolio, messages: taken, newPeople: added.size, at })
	return { taken, left: share - added.size }
}

/**
 * Returns the free places that an account may take. Of several accounts with messages to send, those with the fewest people in
 * the moving day come first, until all have equally many. No account keeps a place that it has no message for.
 */
export function shareOfPlaces(
	free: number,
	{ accountId, accounts }: { accountId: AccountId; accounts: readonly WaitingAccount[] },
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
	// Places that do not suffice for one more each go to accounts in the order of their ids.
	const next = accounts
		.filter((one) => placesTo(one, low + 1) > placesTo(one, low))
		.toSorted((a, b) => Number(a.accountId) - Number(b.accountId))
		.slice(0, free - given(low))
	return placesTo(me, low) + (next.includes(me) ? 1 : 0)
}

/** Returns the places that raise an account to a number of people. */
function placesTo({ people, wanted }: WaitingAccount, level: number): number {
	return Math.min(wanted, Math.max(0, level - people))
}

/** Gives back the places of messages that certainly were not accepted, and wakes the account's waiting campaigns. */
export async function givePlacesBack(
	sql: Sql,
	accountId: AccountId,
	messages: readonly { campaignId: number; seq: number }[],
): Promise<void> {
	if (messages.length === 0) return
	const portfolios = await queries.listPortfoliosOf(sql, accountId, messages)
	if (portfolios.length === 0) return
	await wakeWaiting(sql, accountId)
	for (const portfolio of portfolios) await queries.deleteCounted(sql, accountId, { portfolio, messages })
}

/** Removes the people who count no more, and portfolios without people. */
export async function forgetPeople({ db, log, signal }: SweepContext): Promise<number> {
	const portfolios = await queries.listExpiredPortfoliosAllAccounts(db)
	return forEachAccount({ log, signal }, portfolios, (portfolio) =>
		transaction(db, async (sql) => {
			await queries.lockPortfolioAllAccounts(sql, { portfolio, waba: portfolio })
			await queries.expireAllAccounts(sql, portfolio)
			await queries.deleteEmptyPortfolioAllAccounts(sql, portfolio)
			return 0
		}),
	)
}

import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { isCancelled } from '#lib/server/db/scan-plans.ts'
import * as membership from './membership-queries.ts'
import * as queries from './portfolio-queries.ts'
import { shareOfPlaces, type WaitingAccount } from './shares.ts'
import {
	findUncountedAllAccounts,
	insertEarlier,
	insertUncountedAllAccounts,
	updateUncounted,
	type EarlierMessage,
	type Position,
} from './uncounted-queries.ts'

export { findSenderLimit, isOfPortfolioAllAccounts, LIMIT_COLUMNS, type SenderLimit } from './membership-queries.ts'
export {
	COUNTED_FOR,
	findNextFreeAllAccounts,
	listFreedAllAccounts,
	listPersonsOfOthersAllAccounts,
} from './portfolio-queries.ts'
export { planSending } from '../sending-plan.ts'
export type { EarlierMessage, Position } from './uncounted-queries.ts'

/** Reads of campaigns and their messages. The later feature `delivery` supplies them, because it owns the tables. */
export interface CampaignReads {
	/** Lists the other accounts of a portfolio whose campaigns may send now. */
	listRivals(sql: Sql, of: { portfolio: string; accountId: AccountId }): Promise<WaitingAccount[]>
	/**
	 * Returns a bounded part of the messages that an account has sent within a day, after a position, and the position up to
	 * which they were read; null at the end.
	 */
	listEarlier(
		sql: Sql,
		accountId: AccountId,
		after: Position,
	): Promise<{ messages: EarlierMessage[]; through: Position | null }>
}

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

/**
 * Locks the portfolio of a sender with a limit until the transaction ends, and returns the places that are free. Returns null
 * while messages that the portfolio has sent before are still to be counted, or when the WABA has just changed its portfolio: the
 * caller commits and asks again.
 */
export async function openPlaces(
	sql: Sql,
	accountId: AccountId,
	{ perDay, reads, ...sender }: membership.SenderLimit & { perDay: number; reads: CampaignReads },
): Promise<OpenPlaces | null> {
	const current = await membership.findCurrentAllAccounts(sql, sender)
	const portfolio = await openPortfolio(sql, accountId, { ...sender, portfolio: current })
	// The WABA may have changed its portfolio before the lock.
	if ((await membership.findCurrentAllAccounts(sql, { ...sender, portfolio })) !== portfolio) return null
	if (!(await countEarlier(sql, portfolio, reads))) return null
	const { people, at } = await queries.expireAllAccounts(sql, portfolio)
	const free = Math.max(0, perDay - people)
	const share = free > 0 ? await shareOf(sql, { portfolio, accountId, free, reads }) : 0
	return { portfolio, free, share, at }
}

/** The keys under which a sender's people are counted. */
type SenderKeys = Pick<membership.SenderLimit, 'portfolio' | 'waba'>

/**
 * Locks a sender's portfolio, and the portfolio `former` that it leaves, and returns the key of the first. A new portfolio
 * takes over the people of its WABAs, and the messages that its accounts sent before are recorded as uncounted.
 */
async function openPortfolio(
	sql: Sql,
	accountId: AccountId,
	{ former = null, ...sender }: SenderKeys & { former?: string | null },
): Promise<string> {
	const { portfolio, newFor, wabas } = await membership.lockPortfoliosAllAccounts(sql, sender, former)
	for (const waba of wabas) await membership.moveMessagesAllAccounts(sql, { portfolio, waba })
	if (wabas.length > 0) await membership.recountAllAccounts(sql, portfolio)
	if (newFor) await insertUncountedAllAccounts(sql, { portfolio, accounts: [...new Set([accountId, ...newFor])] })
	return portfolio
}

/** Number of earlier messages after which the counting continues in the next transaction. */
const MAX_EARLIER = 10_000

/** Counts earlier messages of a locked portfolio's accounts. Returns false when some are left for the next call. */
async function countEarlier(sql: Sql, portfolio: string, { listEarlier }: CampaignReads): Promise<boolean> {
	for (let count = 0; count < MAX_EARLIER;) {
		const account = await findUncountedAllAccounts(sql, portfolio)
		if (!account) return true
		const { messages, through } = await listEarlier(sql, account.accountId, account.after)
		await insertEarlier(sql, account.accountId, { portfolio, messages })
		await updateUncounted(sql, account.accountId, through)
		count += messages.length + 1000
	}
	return false
}

/**
 * Follows new limits of an account's sender, in the transaction that writes them and has locked the sender. Messages that
 * were sent while the limit or the portfolio was unknown are counted before the next claim. The counted people of a WABA move
 * to its portfolio once it is known, and to each later portfolio of the WABA.
 */
export async function followLimits(
	sql: Sql,
	accountId: AccountId,
	{ before, after }: { before: KnownLimit; after: KnownLimit },
): Promise<void> {
	const sender = await membership.findSenderLimit(sql, accountId)
	if (!sender) return
	const [from, to] = [before.portfolioId, after.portfolioId]
	if (from !== null && to !== null && from !== to)
		await changePortfolio(sql, accountId, { from, sender: { ...sender, portfolio: to } })
	if (sender.perDay === null) return
	if (to !== null) await joinPortfolio(sql, accountId, { ...sender, portfolio: to })
	const wasLimited = before.messagingLimit !== null && before.messagingLimit >= 0
	if (wasLimited && from === to) return
	await insertUncountedAllAccounts(sql, { portfolio: to ?? sender.portfolio, accounts: [accountId] })
}

/** A limit and a portfolio as read from WhatsApp: -1 is no limit, null unknown. */
interface KnownLimit {
	messagingLimit: number | null
	portfolioId: string | null
}

/** Moves the messages that the accounts of a WABA have sent within a day to its new portfolio. */
async function changePortfolio(
	sql: Sql,
	accountId: AccountId,
	{ from, sender }: { from: string; sender: membership.SenderLimit },
): Promise<void> {
	const accounts = await membership.listAccountsOfWabaAllAccounts(sql, sender.waba)
	const counted = await membership.hasCountedAllAccounts(sql, { portfolio: from, accounts })
	if (!counted && sender.perDay === null) return
	const to = await openPortfolio(sql, accountId, { ...sender, former: from })
	await membership.changePortfolioAllAccounts(sql, { from, to, accounts })
}

/** Records the portfolio of a WABA for all accounts of the WABA, and moves the people counted before. */
async function joinPortfolio(sql: Sql, accountId: AccountId, sender: SenderKeys): Promise<void> {
	if ((await membership.findMovedAllAccounts(sql, sender.waba)) === sender.portfolio) return
	const portfolio = await openPortfolio(sql, accountId, sender)
	await membership.moveMessagesAllAccounts(sql, { portfolio, waba: sender.waba })
	await membership.recountAllAccounts(sql, portfolio)
}

/**
 * Returns the account's share of the free places, or all free places while a machine of a distributed database does not
 * answer.
 */
async function shareOf(
	sql: Sql,
	{
		portfolio,
		accountId,
		free,
		reads,
	}: { portfolio: string; accountId: AccountId; free: number; reads: CampaignReads },
): Promise<number> {
	await sql`savepoint rivals`
	try {
		const rivals = await reads.listRivals(sql, { portfolio, accountId })
		if (rivals.length === 0) return free
		const peopleOf = await queries.countPeopleAllAccounts(sql, portfolio)
		const accounts = [...rivals, { accountId, wanted: Number.MAX_SAFE_INTEGER }].map((one) => ({
			...one,
			people: peopleOf.get(one.accountId) ?? 0,
		}))
		return shareOfPlaces(free, { accountId, accounts })
	} catch (error) {
		if (isCancelled(error)) throw error
		await sql`rollback to savepoint rivals`
		return free
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

type WakeWaiting = (sql: Sql, accountId: AccountId) => Promise<void>

/** Gives back the places of messages that certainly were not accepted. `wake` ends the wait of the account's campaigns. */
export async function givePlacesBack(
	sql: Sql,
	accountId: AccountId,
	{ messages, wake }: { messages: readonly { campaignId: number; seq: number }[]; wake: WakeWaiting },
): Promise<void> {
	if (messages.length === 0) return
	const portfolios = await queries.listPortfoliosOf(sql, accountId, messages)
	if (portfolios.length === 0) return
	await wake(sql, accountId)
	for (const portfolio of portfolios) await queries.deleteCounted(sql, accountId, { portfolio, messages })
}

/** Removes the people who no longer count, and portfolios without people. */
export async function forgetPeople({ db, log, signal }: SweepContext): Promise<number> {
	const portfolios = await queries.listExpiredPortfoliosAllAccounts(db)
	return forEachAccount({ log, signal }, portfolios, (portfolio) =>
		transaction(db, async (sql) => {
			await membership.lockPortfoliosAllAccounts(sql, { portfolio, waba: portfolio })
			await queries.expireAllAccounts(sql, portfolio)
			await queries.deleteEmptyPortfolioAllAccounts(sql, portfolio)
			return 0
		}),
	)
}

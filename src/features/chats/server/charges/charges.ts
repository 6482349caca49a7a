import { problem } from '#features/chats/problems.ts'
import { DELIVERY_DAYS } from '#features/delivery/rules.ts'
import { addToTotals } from '#features/delivery/server/settlement/count-queries.ts'
import { getReplyTerms } from '#features/pricing/server/queries.ts'
import { findReplyPrice, findReplyPrices } from '#features/pricing/server/service.ts'
import { getWallet, post, postAll, REPLY_REFERENCE, type Posting } from '#features/wallet/server/ledger.ts'
import { lockAvailable } from '#features/wallet/server/refund-queries.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { forEachAccount, inChunks, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import * as queries from './charge-queries.ts'
import {
	applyUpdate,
	movesTo,
	targetOf,
	type Charge,
	type ChargeMove,
	type ChargeState,
	type ChargeUpdate,
} from './charge.ts'

const CHUNK_SIZE = 1000

/**
 * Holds the account's present price of a reply, in the transaction that writes its message or before its first request. Throws
 * a 402 when the wallet is short. Does nothing in a market where replies are free.
 */
export async function holdReplyPrice(
	sql: Sql,
	accountId: AccountId,
	{ id: messageId, chat }: { id: number; chat: string },
): Promise<void> {
	const pricePaise = await findReplyPrice(sql, accountId, chat)
	if (pricePaise === 0) return
	await queries.insertCharge(sql, accountId, { messageId, pricePaise })
	const reference = `${REPLY_REFERENCE}hold:${messageId}:0`
	const posting = { kind: 'hold', reference, paise: pricePaise, messageCount: 1, isReply: true } as const
	if (await post(sql, accountId, posting)) return announceLive(sql, accountId, { kind: 'wallet', isProgress: true })
	const { availablePaise } = await getWallet(sql, accountId)
	throw problem('balance_short_for_message', { pricePaise, availablePaise })
}

/**
 * Returns how many replies to these chats, in their order, the wallet can pay for beside the replies that wait for a worker. Each
 * counts at the highest of the prices. Holds nothing.
 */
export async function countPayable(
	sql: Sql,
	accountId: AccountId,
	replies: readonly { chat: string }[],
): Promise<number> {
	const { isPaid } = await getReplyTerms(sql, accountId)
	if (!isPaid) return replies.length
	const chats = replies.map(({ chat }) => chat)
	const highestPaise = Math.max(...(await findReplyPrices(sql, accountId, chats)))
	if (highestPaise === 0) return replies.length
	const { availablePaise } = await getWallet(sql, accountId)
	const waiting = await queries.countUnclaimed(sql, accountId)
	return replies.filter((_, index) => (waiting + index + 1) * highestPaise <= availablePaise).length
}

/**
 * Records status updates in the charges of replies, also of replies whose chat message was deleted. Returns true when money
 * has to move: call `moveDueMoney` in this transaction if it locks no campaign message, campaign or total of the account
 * before, and in a transaction of its own otherwise.
 */
export async function recordUpdates(
	sql: Sql,
	accountId: AccountId,
	updates: readonly ChargeUpdate[],
): Promise<boolean> {
	const ids = updates.map(({ id }) => id)
	const charges = new Map((await queries.lockCharges(sql, accountId, ids)).map((charge) => [charge.messageId, charge]))
	const changed = new Set<number>()
	for (const update of updates) {
		const charge = charges.get(update.id)
		if (!charge) continue
		const next = applyUpdate(charge, update)
		if (next === charge) continue
		charges.set(update.id, next)
		changed.add(update.id)
	}
	const all = Array.from(charges.values(), (charge) => ({ ...charge, isDue: targetOf(charge) !== charge.state }))
	if (changed.size > 0)
		await queries.writeCharges(
			sql,
			accountId,
			all.filter(({ messageId }) => changed.has(messageId)),
		)
	return all.some(({ isDue }) => isDue)
}

/** Moves the money of up to CHUNK_SIZE replies as their status updates ask. Returns the number of replies. */
export async function moveDueMoney(sql: Sql, accountId: AccountId): Promise<number> {
	const due = await queries.lockDue(sql, accountId, CHUNK_SIZE)
	await move(
		sql,
		accountId,
		due.map((charge) => ({ charge, to: targetOf(charge) })),
	)
	return due.length
}

/** Moves the money of replies after status updates. Webhooks call it immediately, housekeeping for replies that a crash left. */
export async function moveMoneyOfReplies(deps: SweepContext, accountId?: AccountId): Promise<number> {
	const due = accountId
		? [{ accountId }]
		: await scanAllAccounts(deps.db, (only) => queries.listDueAllAccounts(deps.db, only))
	return forEachAccount(deps, due, (one) =>
		transaction(deps.db, (sql) => moveDueMoney(sql, one.accountId), { isByKey: true }),
	)
}

/**
 * Releases the holds of replies whose status updates have not shown within Meta's 30 days whether it charges them. Later
 * pricing is recorded and moves no money.
 */
export async function expireHolds(deps: SweepContext): Promise<number> {
	const days = DELIVERY_DAYS
	const due = await scanAllAccounts(deps.db, (only) => queries.listHeldAllAccounts(deps.db, { days, only }))
	return forEachAccount(deps, due, ({ accountId }) => expireHoldsOf(deps, accountId, days))
}

/** Gives back all holds of replies of an account that is about to be erased. Returns null: nothing prevents the erasure. */
export async function releaseHolds(db: Db, accountId: AccountId): Promise<null> {
	await expireHoldsOf({ db }, accountId, 0)
	return null
}

async function expireHoldsOf(
	{ db, signal }: Pick<SweepContext, 'db' | 'signal'>,
	accountId: AccountId,
	days: number,
): Promise<number> {
	const expireChunk = async (sql: Sql) => {
		const held = await queries.lockHeld(sql, accountId, { days, limit: CHUNK_SIZE })
		await move(
			sql,
			accountId,
			// Expires only a reply without a recorded status update; any other moves to the state that its update requires.
			held.map((charge) => {
				const to = targetOf(charge)
				return { charge, to: to === 'held' ? ('expired' as const) : to }
			}),
		)
		return held.length
	}
	return inChunks({ signal }, () => transaction(db, expireChunk, { isByKey: true }))
}

interface Step {
	charge: Charge
	to: ChargeState
}

/** Moves the money of locked charges with one posting for each kind, and writes their states. */
async function move(sql: Sql, accountId: AccountId, wanted: readonly Step[]): Promise<void> {
	if (wanted.length === 0) return
	const steps = await waiveUnpayable(sql, accountId, wanted)
	const spentPaise = await postAll(sql, accountId, postingsOf(steps))
	await queries.writeCharges(
		sql,
		accountId,
		steps.map(({ charge, to }) => ({ ...charge, state: to, moveCount: charge.moveCount + 1, isDue: false })),
	)
	const day = { sent: 0, delivered: 0, read: 0, failed: 0, spentPaise }
	if (spentPaise !== 0) await addToTotals(sql, accountId, { blocks: [], minutes: [], usage: [], day })
	announceLive(sql, accountId, { kind: 'wallet', isProgress: true })
}

/** Returns one posting for each kind of move. The first message and its number of moves name it. */
function postingsOf(steps: readonly Step[]): Posting[] {
	const moving = new Map<ChargeMove, [Charge, ...Charge[]]>()
	for (const { charge, to } of steps)
		for (const kind of movesTo(charge.state, to)) {
			const known = moving.get(kind)
			if (known) known.push(charge)
			else moving.set(kind, [charge])
		}
	return Array.from(moving, ([kind, charges]) => ({
		kind,
		reference: `${REPLY_REFERENCE}${kind}:${charges[0].messageId}:${charges[0].moveCount}`,
		paise: sumOf(charges),
		messageCount: charges.length,
		isReply: true,
	}))
}

/**
 * Waives the charges of replies that failed, got their price back, and were delivered after all, as far as the wallet cannot
 * pay for them.
 */
async function waiveUnpayable(sql: Sql, accountId: AccountId, steps: readonly Step[]): Promise<Step[]> {
	const isLate = ({ charge, to }: Step) => movesTo(charge.state, to).includes('hold')
	if (!steps.some(isLate)) return [...steps]
	const given = steps.filter(({ charge, to }) =>
		movesTo(charge.state, to).some((kind) => kind === 'release' || kind === 'refund'),
	)
	let available = (await lockAvailable(sql, accountId)) + sumOf(given.map(({ charge }) => charge))
	return steps.map((step) => {
		if (!isLate(step)) return step
		if (step.charge.pricePaise > available) return { ...step, to: 'waived' as const }
		available -= step.charge.pricePaise
		return step
	})
}

const sumOf = (charges: readonly Charge[]) => charges.reduce((sum, { pricePaise }) => sum + pricePaise, 0)

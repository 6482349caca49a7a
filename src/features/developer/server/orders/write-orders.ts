import { listOptedOut } from '#features/audiences/server/recipients/audience-queries.ts'
import { tryHold } from '#features/campaigns/server/creation/write-order.ts'
import { isMarketing } from '#features/delivery/rules.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { problem } from '#features/developer/problems.ts'
import { insertMessageFile, type MessageContent } from '#features/header-files/server/service.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { findPricesOf } from '#features/pricing/server/service.ts'
import type { Template } from '#features/templates/server/queries.ts'
import type { Variables } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { getSenderState } from '#features/whatsapp/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { invalid } from '../faults.ts'
import { findSpent } from '../keys/day-limit-queries.ts'
import { limitReached, spend, type SpendingKey } from '../keys/day-limit.ts'
import { appendMessages, type ApiMessages, type Place } from './api-campaign.ts'
import { checkMessage, readTemplate, refuseWithoutSender, type TemplateRef, type TypedMessage } from './check-order.ts'
import { claimKeys, isSameRequest, keyReused } from './idempotency.ts'
import { costOfOrder, presentedPrices, recipientPath, unpricedRefusal } from './order-prices.ts'
import { listAnswers, type IdempotentRequest } from './request-queries.ts'

/** Messages of one request, which are sent all or not at all. */
export interface Order {
	messages: readonly TypedMessage[]
	/** True when the messages are a list in the body; false for a single message. */
	isList: boolean
	idempotency: IdempotentRequest | null
	key: SpendingKey
	/** The file in the header of the order's only message; the template's file when absent. */
	file?: MessageContent
}

/** A stored and paid order. */
export interface Placed extends Place {
	/** Price of a message in paise: that of a single message, or of a list's messages in the home market. */
	pricePaise: number
	/** Prices of a list's messages in their order; absent while all cost the same. */
	prices?: number[]
}

type Outcome = Placed | AppError

interface CheckedOrder {
	order: Order
	messages: ({ number: string; values: Variables } & MessageReference)[]
	outcome: Outcome | null
}

/**
 * Writes orders with one template, all with files or none, in one transaction with one hold, and places or refuses each
 * separately. A repeated order returns its first answer. Reads that need no lock run concurrently before the transaction,
 * because all later orders wait until it ends.
 */
export async function writeOrders(
	db: Db,
	accountId: AccountId,
	{ ref, orders }: { ref: TemplateRef; orders: readonly Order[] },
): Promise<Outcome[]> {
	for (let attempt = 1; ; attempt++) {
		const [known, ready] = await Promise.all([findKnown(db, accountId, orders), readySend(db, accountId, ref)])
		// A repeated order returns its answer whatever the current state of template and sender.
		if (ready instanceof AppError) return orders.map((order) => known.get(order) ?? ready)
		const work = orders.map((order) => checkOrder(ready.template, { order, known: known.get(order) }))
		await refuseUnfit(db, accountId, { work, ready })
		const accepted = waiting(work)
		const placed = accepted.length === 0 ? [] : await writeAccepted(db, accountId, { ...ready, accepted })
		if (placed === null && attempt < MAX_ATTEMPTS) continue
		for (const [index, one] of accepted.entries()) one.outcome = placed?.[index] ?? OVERTAKEN
		return work.map(({ outcome }) => outcome ?? OVERTAKEN)
	}
}

/**
 * Checks an order without writing it: template, sender, numbers, values, opt-outs, wallet and the key's limit. Rejects with the
 * reason of a refusal.
 */
export async function checkAlone(
	db: Db,
	accountId: AccountId,
	{ ref, order }: { ref: TemplateRef; order: Order },
): Promise<Ready & Pick<CheckedOrder, 'messages'>> {
	const ready = await readySend(db, accountId, ref)
	if (ready instanceof AppError) throw ready
	const one = checkOrder(ready.template, { order, known: undefined })
	await refuseUnfit(db, accountId, { work: [one], ready })
	if (one.outcome instanceof AppError) throw one.outcome
	return { ...ready, messages: one.messages }
}

/** Refuses orders because of opt-outs, the wallet or the limit of a key. */
async function refuseUnfit(
	db: Db,
	accountId: AccountId,
	{ work, ready }: { work: readonly CheckedOrder[]; ready: Ready },
): Promise<void> {
	if (isMarketing(ready.template.category)) await refuseOptedOut(db, accountId, work)
	for (const one of waiting(work)) one.outcome = unpricedRefusal(ready, one)
	refuseUnpaid(work, ready)
	await refuseOverLimit(db, accountId, { work, prices: ready })
}

const MAX_ATTEMPTS = 5
/**
 * Wait for a key in milliseconds, short because the campaign of the day is locked meanwhile. `OrderQueue` waits longer for a
 * key without that lock.
 */
const HELD_KEY_WAIT_MS = 100
/**
 * Error that rolls the transaction back: since the check, another process has spent the money or written an order with
 * the same key.
 */
const OVERTAKEN = problem('busy', { what: 'wallet' })

interface Ready extends MarketPrices {
	template: Template
	availablePaise: number
}

/** Returns template, price and available balance for sending, or the reason why nothing can be sent. */
async function readySend(db: Db, accountId: AccountId, ref: TemplateRef): Promise<Ready | AppError> {
	const reading = Promise.all([getPrices(db, accountId), getSenderState(db, accountId), getWallet(db, accountId)])
	try {
		const [template, [list, sender, { availablePaise }]] = await Promise.all([
			readTemplate(db, accountId, ref),
			reading,
		])
		refuseWithoutSender(sender)
		return { template, ...(await findPricesOf(db, list, template)), availablePaise }
	} catch (error) {
		if (error instanceof AppError) return error
		throw error
	}
}

function checkOrder(template: Template, { order, known }: { order: Order; known: Outcome | undefined }): CheckedOrder {
	if (known) return { order, messages: [], outcome: known }
	const read = order.messages.map((message, index) =>
		checkMessage(template, message, order.isList ? ['messages', index] : []),
	)
	const faults = read.flatMap((one) => one.faults)
	return { order, messages: read, outcome: faults.length > 0 ? invalid(faults) : null }
}

const waiting = (work: readonly CheckedOrder[]) => work.filter(({ outcome }) => outcome === null)

/** Refuses orders that the wallet cannot pay after the preceding ones. */
function refuseUnpaid(work: readonly CheckedOrder[], ready: Ready): void {
	let leftPaise = ready.availablePaise
	for (const one of waiting(work)) {
		const neededPaise = costOfOrder(ready, one)
		if (neededPaise <= leftPaise) leftPaise -= neededPaise
		else one.outcome = shortWallet(neededPaise, leftPaise)
	}
}

/** Refuses orders that would exceed the daily limit of their key after the preceding ones. */
async function refuseOverLimit(
	db: Db,
	accountId: AccountId,
	{ work, prices }: { work: readonly CheckedOrder[]; prices: MarketPrices },
): Promise<void> {
	const spent = new Map<number, number>()
	for (const one of waiting(work)) {
		const { keyId, dayLimitPaise } = one.order.key
		if (dayLimitPaise === null) continue
		const before = spent.get(keyId) ?? (await findSpent(db, accountId, keyId))
		const neededPaise = costOfOrder(prices, one)
		const isOver = before + neededPaise > dayLimitPaise
		if (isOver) one.outcome = limitReached({ spentPaise: before, limitPaise: dayLimitPaise, neededPaise })
		spent.set(keyId, isOver ? before : before + neededPaise)
	}
}

/** Returns the spending of each key with a limit on these orders, ordered by key id, in which order the rows are locked. */
function spendingOf(orders: readonly CheckedOrder[], prices: MarketPrices): { key: SpendingKey; paise: number }[] {
	const byKey = new Map<number, { key: SpendingKey; paise: number }>()
	for (const { order, messages } of orders) {
		if (order.key.dayLimitPaise === null) continue
		const before = byKey.get(order.key.keyId)?.paise ?? 0
		byKey.set(order.key.keyId, { key: order.key, paise: before + costOfOrder(prices, { messages }) })
	}
	return [...byKey.values()].toSorted((a, b) => a.key.keyId - b.key.keyId)
}

/**
 * Throws OVERTAKEN for a refusal: another transaction has spent from the key's limit since the check, so the orders are checked
 * again.
 */
function overtaken(error: unknown): never {
	throw error instanceof AppError ? OVERTAKEN : error
}

/**
 * Writes accepted orders. Returns the place of each order's messages, or null and writes nothing when another process was
 * faster.
 */
async function writeAccepted(
	db: Db,
	accountId: AccountId,
	{ template, pricePaise, abroadPrices, passesOnFree = false, accepted }: Ready & { accepted: readonly CheckedOrder[] },
): Promise<Placed[] | null> {
	const count = accepted.reduce((sum, one) => sum + one.messages.length, 0)
	const write = async (sql: Sql) => {
		const messages = await withFiles(sql, accountId, accepted)
		const prices = { pricePaise, abroadPrices, passesOnFree }
		const { campaignId, before, paise } = await appendMessages(sql, accountId, { template, ...prices, messages })
		let next = before
		const placed = accepted.map((one) => {
			const place = { campaignId, before: next, ...presentedPrices(prices, one) }
			next += one.order.messages.length
			return place
		})
		const asked = accepted.flatMap(({ order: { idempotency } }, index) =>
			idempotency ? [{ ...idempotency, answer: placed[index] }] : [],
		)
		const claim = { requests: asked, waitMs: HELD_KEY_WAIT_MS }
		if (asked.length > 0 && (await claimKeys(sql, accountId, claim)) < asked.length) throw OVERTAKEN
		// The wallet is locked last, because all sending of the account waits for it.
		const holding = { campaignId, paise, messageCount: count, after: before }
		if (!(await tryHold(sql, accountId, holding))) throw OVERTAKEN
		for (const spending of spendingOf(accepted, prices)) await spend(sql, accountId, spending).catch(overtaken)
		return placed
	}
	return retriedTransaction(db, write).catch((error: unknown) => {
		if (error === OVERTAKEN) return null
		throw error
	})
}

/** Returns the messages of orders, and stores the file of each. */
async function withFiles(sql: Sql, accountId: AccountId, orders: readonly CheckedOrder[]) {
	const messages: ApiMessages['messages'][number][] = []
	for (const { order, messages: own } of orders) {
		const fileId = order.file && (await insertMessageFile(sql, accountId, order.file))
		messages.push(...own.map((message) => ({ ...message, fileId })))
	}
	return messages
}

/** Returns the outcomes of orders that repeat an answered request. */
async function findKnown(db: Db, accountId: AccountId, orders: readonly Order[]): Promise<Map<Order, Outcome>> {
	const keys = orders.flatMap(({ idempotency }) => idempotency?.keyHash ?? [])
	const answers = keys.length === 0 ? [] : await listAnswers(db, accountId, keys)
	const byKey = new Map(answers.map((one) => [one.keyHash.toString('hex'), one]))
	const known = new Map<Order, Outcome>()
	for (const order of orders) {
		const found = order.idempotency && byKey.get(order.idempotency.keyHash.toString('hex'))
		if (!found) continue
		const isSame = order.idempotency !== null && isSameRequest(order.idempotency, found)
		known.set(order, isSame ? (found.answer as Placed) : keyReused())
	}
	return known
}

async function refuseOptedOut(db: Db, accountId: AccountId, work: readonly CheckedOrder[]): Promise<void> {
	const numbers = waiting(work).flatMap(({ messages }) => messages.map(({ number }) => number))
	if (numbers.length === 0) return
	const optedOut = new Set(await listOptedOut(db, accountId, numbers))
	if (optedOut.size === 0) return
	for (const one of waiting(work)) {
		const faults = one.messages.flatMap(({ number }, index) => {
			const path = recipientPath(one.order, index)
			return optedOut.has(number) ? [{ path, detail: 'This number receives no marketing' }] : []
		})
		if (faults.length > 0) one.outcome = invalid(faults, 'recipient_opted_out')
	}
}

function shortWallet(neededPaise: number, availablePaise: number): AppError {
	const needed = rupeesFromPaise(neededPaise)
	const available = rupeesFromPaise(availablePaise)
	return problem('balance_short_for_order', { needed, available })
}

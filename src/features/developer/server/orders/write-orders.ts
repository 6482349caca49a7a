import { listOptedOut } from '#features/campaigns/server/creation/audience-queries.ts'
import { appendMessages, type Place } from '#features/campaigns/server/creation/gathered.ts'
import { isMarketing, priceOf } from '#features/messages/server/price.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import type { Template } from '#features/templates/server/queries.ts'
import type { Variables } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/deadlocks.ts'
import { AppError } from '#lib/server/errors.ts'
import { invalid } from '../faults.ts'
import { checkMessage, readTemplate, refuseWithoutSender, type TemplateRef, type TypedMessage } from './check-order.ts'
import { claimKeys, keyReused } from './repeatable.ts'
import { listAnswers, releaseRequests, saveAnswers, type RepeatableRequest } from './request-queries.ts'

/** Messages that are sent all or not at all. */
export interface Order {
	messages: readonly TypedMessage[]
	/** Where its messages stand in the body: one by itself, or in a list. */
	isList: boolean
	repeatable: RepeatableRequest | null
}

/** An order that is kept and paid. */
export interface Placed extends Place {
	/** Of each message. */
	pricePaise: number
}

type Outcome = Placed | AppError

interface CheckedOrder {
	order: Order
	messages: { number: string; values: Variables }[]
	outcome: Outcome | null
}

/**
 * Writes orders with one template together: in one transaction, with one hold. Each is placed, or refused by itself. A repeated one is answered as it was the first time.
 */
export async function writeOrders(
	db: Db,
	owner: OwnerId,
	{ ref, orders }: { ref: TemplateRef; orders: readonly Order[] },
): Promise<Outcome[]> {
	const known: CheckedOrder[] = orders.map((order) => ({ order, messages: [], outcome: null }))
	// A repeated one is answered whatever has become of the template, or the sender, since.
	await answerKnown(db, owner, known)
	const ready = waiting(known).length === 0 ? null : await readySend(db, owner, ref)
	if (ready === null || ready instanceof AppError)
		return known.map(({ outcome }) => outcome ?? ready ?? SPENT_MEANWHILE)
	const { template, pricePaise } = ready
	for (let attempt = 1; ; attempt++) {
		const checked = known.map((one) => (one.outcome === null ? checkOrder(template, one.order) : one))
		const written = await retryDeadlocks(() =>
			transaction(db, (sql) => place(sql, owner, { template, pricePaise, checked })),
		).catch((error: unknown) => {
			if (error === SPENT_MEANWHILE && attempt < MAX_ATTEMPTS) return null
			throw error
		})
		if (written) return written
	}
}

/** What is sent at which price, or why nothing can be. */
async function readySend(
	db: Db,
	owner: OwnerId,
	ref: TemplateRef,
): Promise<Pick<Work, 'template' | 'pricePaise'> | AppError> {
	try {
		const [template, prices] = await Promise.all([readTemplate(db, owner, ref), getPrices(db, owner)])
		await refuseWithoutSender(db, owner)
		return { template, pricePaise: priceOf(template, prices) }
	} catch (error) {
		if (error instanceof AppError) return error
		throw error
	}
}

const MAX_ATTEMPTS = 5
/** Rolls the transaction back: others have spent what the orders were to be paid from. */
const SPENT_MEANWHILE = new AppError(409, 'Your wallet changes too fast. Send this again.', { code: 'busy' })

function checkOrder(template: Template, order: Order): CheckedOrder {
	const read = order.messages.map((message, index) =>
		checkMessage(template, message, order.isList ? `/messages/${index}` : ''),
	)
	const faults = read.flatMap((one) => one.faults)
	return { order, messages: read, outcome: faults.length > 0 ? invalid(faults) : null }
}

interface Work {
	template: Template
	pricePaise: number
	checked: readonly CheckedOrder[]
}

async function place(sql: Sql, owner: OwnerId, { template, pricePaise, checked }: Work): Promise<Outcome[]> {
	// A deadlock runs this again: what was found then is forgotten.
	const work = checked.map((one) => ({ ...one }))
	const claimed = await answerRepeated(sql, owner, work)
	if (isMarketing(template.category)) await refuseOptedOut(sql, owner, work)
	const { availablePaise } = await getWallet(sql, owner)
	let leftPaise = availablePaise
	for (const one of waiting(work)) {
		const neededPaise = one.messages.length * pricePaise
		if (neededPaise <= leftPaise) leftPaise -= neededPaise
		else one.outcome = shortWallet(neededPaise, leftPaise)
	}
	const accepted = waiting(work)
	if (accepted.length > 0) {
		const messages = accepted.flatMap((one) => one.messages)
		const placed = await appendMessages(sql, owner, { template, pricePaise, messages })
		if (!placed) throw SPENT_MEANWHILE
		let { before } = placed
		for (const one of accepted) {
			one.outcome = { campaignId: placed.campaignId, before, pricePaise }
			before += one.messages.length
		}
	}
	await keepAnswers(sql, owner, { accepted, claimed })
	return work.map(({ outcome }) => outcome ?? SPENT_MEANWHILE)
}

const waiting = (work: readonly CheckedOrder[]) => work.filter(({ outcome }) => outcome === null)

/** Notes those that may be repeated, and finds the answers of those that are. Returns the keys that it has noted. */
async function answerRepeated(sql: Sql, owner: OwnerId, work: CheckedOrder[]): Promise<Buffer[]> {
	const repeatable = waiting(work).flatMap(({ order }) => order.repeatable ?? [])
	if (repeatable.length === 0) return []
	const claimed = await claimKeys(sql, owner, repeatable)
	if (claimed.length < repeatable.length) await answerKnown(sql, owner, work)
	return claimed
}

/** Answers those that have been answered before. */
async function answerKnown(sql: Sql, owner: OwnerId, work: readonly CheckedOrder[]): Promise<void> {
	const keys = waiting(work).flatMap(({ order }) => order.repeatable?.keyHash ?? [])
	if (keys.length === 0) return
	const known = await listAnswers(sql, owner, keys)
	const answers = new Map(known.map((one) => [one.keyHash.toString('hex'), one]))
	for (const one of waiting(work)) {
		const asked = one.order.repeatable
		const found = asked && answers.get(asked.keyHash.toString('hex'))
		// What this transaction has just noted itself has no answer yet.
		if (found && found.answer !== null)
			one.outcome = found.requestHash.equals(asked.requestHash) ? (found.answer as Placed) : keyReused()
	}
}

/** Of the orders that were noted, those that were refused are forgotten: they may be corrected, or paid for. */
async function keepAnswers(
	sql: Sql,
	owner: OwnerId,
	{ accepted, claimed }: { accepted: readonly CheckedOrder[]; claimed: readonly Buffer[] },
): Promise<void> {
	const answers = accepted.flatMap(({ order, outcome }) =>
		order.repeatable ? [{ keyHash: order.repeatable.keyHash, answer: outcome }] : [],
	)
	if (answers.length > 0) await saveAnswers(sql, owner, answers)
	const refused = claimed.filter((key) => !answers.some(({ keyHash }) => keyHash.equals(key)))
	if (refused.length > 0) await releaseRequests(sql, owner, refused)
}

async function refuseOptedOut(sql: Sql, owner: OwnerId, work: CheckedOrder[]): Promise<void> {
	const numbers = waiting(work).flatMap(({ messages }) => messages.map(({ number }) => number))
	const optedOut = new Set(await listOptedOut(sql, owner, numbers))
	if (optedOut.size === 0) return
	for (const one of waiting(work)) {
		const faults = one.messages.flatMap(({ number }, index) => {
			const path = one.order.isList ? `/messages/${index}/to` : '/to'
			return optedOut.has(number) ? [{ path, detail: 'This number receives no marketing' }] : []
		})
		if (faults.length > 0) one.outcome = invalid(faults, 'recipient_opted_out')
	}
}

function shortWallet(neededPaise: number, availablePaise: number): AppError {
	const [needed, available] = [neededPaise, availablePaise].map((paise) => formatRupees(rupeesFromPaise(paise)))
	const message = `This costs ${needed} and your wallet has ${available}. Please recharge your wallet.`
	return new AppError(402, message, { neededPaise, availablePaise })
}

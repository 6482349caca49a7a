import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { problem } from '#features/developer/problems.ts'
import { AppError } from '#lib/app-error.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import type { MessageFilter, SentMessage } from '../campaigns/message-queries.ts'
import type { TemplateRef } from '../orders/check-order.ts'
import { runIdempotent } from '../orders/idempotency.ts'
import { presentedPrices } from '../orders/order-prices.ts'
import { checkAlone, type Order, type Placed } from '../orders/write-orders.ts'
import * as queries from './test-message-queries.ts'
import type { TestMessage } from './test-message-queries.ts'
import { failureOf, statusOf, stepsOf } from './test-steps.ts'

/** Maximum number of an account's test messages, including those of campaigns. They are deleted after a day. */
export const MAX_TEST_MESSAGES = 10_000

/**
 * Takes an order of a test key: checks it like a real one, including wallet, limit and opt-outs, and stores it without sending
 * or charging it. Rejects with the reason that would refuse the real order.
 */
export async function placeTest(
	db: Db,
	accountId: AccountId,
	{ ref, order }: { ref: TemplateRef; order: Order },
): Promise<Placed> {
	return runIdempotent(db, accountId, {
		asked: order.idempotency,
		prepare: () => checkAlone(db, accountId, { ref, order }),
		async work(sql, { template: { name, language }, messages: ordered, ...prices }) {
			const messages = ordered.map((message) => newMessage({ ...message, name: null }))
			await refuseTooMany(sql, accountId, messages.length)
			const template = { name, language }
			const id = await withOrderId((free) => queries.insertMessages(sql, accountId, { id: free, template, messages }))
			return { campaignId: id, before: 0, ...presentedPrices(prices, { order, messages: ordered }) }
		},
	})
}

/** Returns a message with the outcome that its number determines. */
export function newMessage(
	message: MessageReference & { number: string; name: string | null },
): queries.NewTestMessage {
	const errorCode = failureOf(message.number)
	return { ...message, errorCode, steps: stepsOf(errorCode).length }
}

const MAX_ATTEMPTS = 10

/**
 * Calls `write` with new ids until it resolves to true, which it does for a free id, and returns that id. Throws a 429 after
 * ten taken ids.
 */
export async function withOrderId(write: (id: number) => Promise<boolean>): Promise<number> {
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		const id = orderId()
		if (await write(id)) return id
	}
	throw tooManyTests()
}

/** Returns an id that grows with time, with two random digits for orders of the same millisecond. */
function orderId(): number {
	return Date.now() * 100 + Math.floor(Math.random() * 100)
}

/** Throws a 429 when the account would exceed its maximum of test messages. */
export async function refuseTooMany(sql: Sql, accountId: AccountId, added: number): Promise<void> {
	if ((await queries.countMessages(sql, accountId)) + added > MAX_TEST_MESSAGES) throw tooManyTests()
}

function tooManyTests(): AppError {
	return problem('test_limit_reached', { most: MAX_TEST_MESSAGES })
}

/** Returns test messages in the form of real ones. */
export async function listTests(db: Db, accountId: AccountId, wanted: MessageFilter): Promise<SentMessage[]> {
	return (await queries.listTestMessages(db, accountId, wanted)).map((message) => sentMessage(message, Date.now()))
}

/** Returns a test message in the form of a real one; undefined when the id is unknown. */
export async function findTest(db: Db, accountId: AccountId, id: MessageId): Promise<SentMessage | undefined> {
	const found = await queries.findTestMessage(db, accountId, id)
	return found && sentMessage(found, Date.now())
}

/** Returns a test message in the form of a real one, with its status at a time in milliseconds. */
export function sentMessage(message: TestMessage, nowMs: number): SentMessage & Pick<TestMessage, 'name'> {
	const now = statusOf(message, nowMs)
	return { ...message, ...now, errorCode: now.status === 'failed' ? message.errorCode : null }
}

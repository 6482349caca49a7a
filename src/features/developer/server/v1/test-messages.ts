import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { TemplateRef } from '../orders/check-order.ts'
import { runIdempotent } from '../orders/idempotency.ts'
import { checkAlone, type Order, type Placed } from '../orders/write-orders.ts'
import type { MessageFilter, SentMessage } from './message-queries.ts'
import * as queries from './test-message-queries.ts'
import type { TestMessage } from './test-message-queries.ts'
import { failureOf, statusOf, stepsOf } from './test-steps.ts'

/** Test messages that an account has at once, those of campaigns included; they are deleted after a day. */
export const MAX_TEST_MESSAGES = 10_000

/**
 * Takes an order of a test key: checked as a real one is, wallet, limit and opt-outs included, and written where nothing sends
 * or charges it. Rejects with what would refuse the real order.
 */
export async function placeTest(
	db: Db,
	accountId: AccountId,
	{ ref, order }: { ref: TemplateRef; order: Order },
): Promise<Placed> {
	return runIdempotent(db, accountId, {
		asked: order.idempotency,
		prepare: () => checkAlone(db, accountId, { ref, order }),
		async work(sql, { template: { name, language }, messages: ordered, pricePaise }) {
			const messages = ordered.map((message) => newMessage({ ...message, name: null }))
			await refuseTooMany(sql, accountId, messages.length)
			const template = { name, language }
			const id = await withOrderId((free) => queries.insertMessages(sql, accountId, { id: free, template, messages }))
			return { campaignId: id, before: 0, pricePaise }
		},
	})
}

/** Returns a message with the outcome that its number has. */
export function newMessage(
	message: MessageReference & { number: string; name: string | null },
): queries.NewTestMessage {
	const errorCode = failureOf(message.number)
	return { ...message, errorCode, steps: stepsOf(errorCode).length }
}

const MAX_ATTEMPTS = 10

/** Calls `write` with ids until one is free, and returns that one. `write` resolves to false for an id that is taken. */
export async function withOrderId(write: (id: number) => Promise<boolean>): Promise<number> {
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		const id = orderId()
		if (await write(id)) return id
	}
	throw tooManyTests()
}

/** Returns an id that grows with time, with two digits by chance for orders of one millisecond. */
function orderId(): number {
	return Date.now() * 100 + Math.floor(Math.random() * 100)
}

/** Throws a 429 where the account would have more test messages than it may. */
export async function refuseTooMany(sql: Sql, accountId: AccountId, added: number): Promise<void> {
	if ((await queries.countMessages(sql, accountId)) + added > MAX_TEST_MESSAGES) throw tooManyTests()
}

function tooManyTests(): AppError {
	const limit = MAX_TEST_MESSAGES.toLocaleString('en')
	const message = `Your account may have ${limit} test messages at once. They are deleted after a day.`
	return new AppError(429, message, { code: 'test_limit_reached' })
}

/** Returns test messages as the real ones are presented. */
export async function listTests(db: Db, accountId: AccountId, wanted: MessageFilter): Promise<SentMessage[]> {
	return (await queries.listTestMessages(db, accountId, wanted)).map((message) => sentMessage(message, Date.now()))
}

/** Returns a test message as a real one is presented; undefined where there is none with this id. */
export async function findTest(db: Db, accountId: AccountId, id: MessageId): Promise<SentMessage | undefined> {
	const found = await queries.findTestMessage(db, accountId, id)
	return found && sentMessage(found, Date.now())
}

/** Returns a test message as it stands at a time. */
export function sentMessage(message: TestMessage, nowMs: number): SentMessage & Pick<TestMessage, 'name'> {
	const now = statusOf(message, nowMs)
	return { ...message, ...now, errorCode: now.status === 'failed' ? message.errorCode : null }
}

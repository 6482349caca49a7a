import { presentFailure } from '#features/delivery/server/message/failure-words.ts'
import { publicId, type MessageId } from '#features/delivery/server/message/message-id.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { AppError } from '#lib/server/errors.ts'
import { recordEvents, type OutgoingEvent } from '#lib/server/jobs/outgoing-events.ts'
import type { TemplateRef } from '../orders/check-order.ts'
import { runIdempotent } from '../orders/idempotency.ts'
import { checkAlone, type Order, type Placed } from '../orders/write-orders.ts'
import type { MessageFilter, SentMessage } from './message-queries.ts'
import * as queries from './test-message-queries.ts'
import type { DueMessage, TestMessage } from './test-message-queries.ts'

/** Steps of a test message, each with its milliseconds after the order. */
const STEPS = [
	['sent', 1000],
	['delivered', 3000],
	['read', 6000],
] as const
const DUE_MS = STEPS.map(([, afterMs]) => afterMs)

/** Number to which test messages fail, from a range that is reserved for films. */
const FAILING_NUMBER = '447700900999'
const FAILURE_CODE = 131_026

/** Maximum number of an account's test messages. They are deleted after a day. */
const MAX_MESSAGES = 10_000

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
		async work(sql, { template: { name, language }, messages, pricePaise }) {
			if ((await queries.countMessages(sql, accountId)) + messages.length > MAX_MESSAGES) throw tooManyTests()
			const noted = messages.map((message) => ({ ...message, steps: stepsTo(message.number).length }))
			for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
				const id = orderId()
				const written = { id, template: { name, language }, messages: noted }
				if (await queries.insertOrder(sql, accountId, written)) return { campaignId: id, before: 0, pricePaise }
			}
			throw tooManyTests()
		},
	})
}

const MAX_ATTEMPTS = 10

/** Returns an id that grows with time, with two random digits for orders of the same millisecond. */
function orderId(): number {
	return Date.now() * 100 + Math.floor(Math.random() * 100)
}

function tooManyTests(): AppError {
	const limit = MAX_MESSAGES.toLocaleString('en')
	return new AppError(
		429,
		`Your account has ${limit} test messages, which is the most. They are deleted after a day.`,
		{
			code: 'test_limit_reached',
		},
	)
}

/** Returns the steps of a message to this number. */
function stepsTo(number: string): readonly (readonly ['sent' | 'delivered' | 'read' | 'failed', number])[] {
	return number === FAILING_NUMBER ? [['failed', DUE_MS[0] ?? 0]] : STEPS
}

/** Returns test messages in the form of real ones. */
export async function listTests(db: Db, accountId: AccountId, wanted: MessageFilter): Promise<SentMessage[]> {
	return (await queries.listTestMessages(db, accountId, wanted)).map((message) => present(message, Date.now()))
}

/** Returns a test message in the form of a real one; undefined when the id is unknown. */
export async function findTest(db: Db, accountId: AccountId, id: MessageId): Promise<SentMessage | undefined> {
	const found = await queries.findTestMessage(db, accountId, id)
	return found && present(found, Date.now())
}

function present(message: TestMessage, nowMs: number): SentMessage {
	const ageMs = nowMs - message.createdAt.getTime()
	const taken = stepsTo(message.to).filter(([, afterMs]) => afterMs <= ageMs)
	const [status, afterMs] = taken.at(-1) ?? (['pending', null] as const)
	const at = (ms: number) => new Date(message.createdAt.getTime() + ms)
	const { createdAt: _, ...rest } = message
	return {
		...rest,
		status,
		errorCode: status === 'failed' ? FAILURE_CODE : null,
		sentAt: status === 'pending' || status === 'failed' ? null : at(DUE_MS[0] ?? 0),
		statusAt: afterMs === null ? null : at(afterMs),
	}
}

const MAX_TOLD = 500

/** Records the events of due steps of test messages. */
export async function tellTestSteps(context: SweepContext): Promise<void> {
	const { db } = context
	const due = await scanAllAccounts(db, (only) => queries.listDueAllAccounts(db, { dueMs: DUE_MS, only }))
	await forEachAccount(context, due, (accountId) => transaction(db, (sql) => tellDue(sql, accountId)))
}

async function tellDue(sql: Sql, accountId: AccountId): Promise<number> {
	const messages = await queries.lockDue(sql, accountId, { dueMs: DUE_MS, limit: MAX_TOLD })
	if (messages.length === 0) return 0
	await recordEvents(sql, accountId, messages.map(eventOf))
	await queries.addTold(sql, accountId, messages)
	return messages.length
}

/** Returns the event of a message's next step, with the field names of real messages' events. */
function eventOf({ campaignId, seq, to, reference, metadata, createdAt, told }: DueMessage): OutgoingEvent {
	const [step, afterMs] = stepsTo(to)[told] ?? STEPS[0]
	const data = {
		id: publicId({ campaignId, seq }),
		to,
		campaignId: String(campaignId),
		...(reference !== null && { reference }),
		...(metadata !== null && { metadata }),
		...(step === 'failed' && { error: presentFailure(FAILURE_CODE) }),
		test: true,
	}
	return { type: `message.${step}`, at: new Date(createdAt.getTime() + afterMs), data }
}

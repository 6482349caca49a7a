import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findActiveUser } from '#features/auth/server/queries.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { MAX_EVENTS } from '#features/events/rules.ts'
import * as queries from '#features/events/server/delivery-queries.ts'
import { halveDelivery, takeDelivery } from '#features/events/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { getNow } from '#lib/server/db/now.ts'
import { postPublic, targetRules } from '#lib/server/http/public-request.ts'
import { addJobs, handlerOf, jobKind, type RunningJob } from '#lib/server/jobs/jobs.ts'
import type { Mailer } from '#lib/server/mail.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { signedHeaders } from './secrets.ts'

export interface DeliveryContext {
	db: Db
	vault: Vault
	notify: Notify
	mailer: Mailer
	env: { PUBLIC_URL: string; LINK_URL?: string | undefined; ALLOW_PRIVATE_TARGETS: boolean }
}

/**
 * Job that sends the waiting events of one address, batch after batch. Each address has one job at a time
 * (`jobs_of_webhooks`), so that events keep their order and a receiver that does not answer delays no other. The job
 * ends with the first failed attempt; `queueDeliveries` adds another when the next one is due.
 */
const deliverJob = jobKind<queries.DueAddress>('webhook', { total: 100, each: 10 })

const switchedOffMailJob = jobKind<{ accountId: AccountId }>('webhook-off-mail')

const TIMEOUT_MS = 10_000
/** Minimum milliseconds between two batches when the first was not full. */
const GATHER_MS = 1000
/** Wait in seconds after the first failed attempt. It doubles with each further one, up to MAX_RETRY_SECONDS. */
const FIRST_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 900
/** Milliseconds without success after which an address is switched off. */
const GIVE_UP_MS = 3 * DAY_MS
/** Status by which a receiver says that the address is gone. */
const GONE = 410
/** 4xx statuses that concern the time or the address rather than the events. */
const NOT_OF_EVENTS = new Set([408, GONE, 429])
/** Number of refused attempts after which an event may be set aside. */
const MAX_REFUSALS = 3

/** Adds a job for each address with due events, unless it has one. */
export async function queueDeliveries(db: Db): Promise<void> {
	const due = await scanAllAccounts(db, (only) => queries.listDueAllAccounts(db, only))
	await addJobs(db, deliverJob, due)
}

/** Adds a job for one address with due events. */
export function queueDelivery(sql: Sql, accountId: AccountId, address: number): Promise<void> {
	return addJobs(sql, deliverJob, [{ accountId, address }])
}

/** Returns the handlers of deliveries and of mails about switched-off addresses. */
export const webhookHandlers = (context: DeliveryContext) => [
	handlerOf(deliverJob, (job) => deliverAll(context, job)),
	handlerOf(switchedOffMailJob, ({ data }) => sendMail(context, data.accountId)),
]

async function deliverAll(
	context: DeliveryContext,
	{ data: { accountId, address }, signal, isMine }: RunningJob<queries.DueAddress>,
): Promise<void> {
	const { db } = context
	let attemptsWanted = MAX_REFUSALS
	while (await isMine()) {
		const target = await queries.findTarget(db, accountId, address)
		const delivery = target && (await takeDelivery(db, accountId, address))
		if (!delivery) return
		const attempt = await send(context, accountId, { ...target, delivery, signal })
		if (isRefusal(attempt) && delivery.eventCount > 1) {
			if (!(await halveDelivery(db, accountId, { address, delivery }))) return
			continue
		}
		if (isRefusal(attempt) && delivery.attempts + 1 >= attemptsWanted) {
			if (await acceptsTest(context, accountId, { ...target, delivery, signal })) {
				if (!(await setAside(db, accountId, { address, delivery, attempt }))) return
				// The receiver works, so the next refused events are set aside after one attempt.
				attemptsWanted = 1
				continue
			}
		}
		if (!(await record(context, accountId, { address, delivery, attempt }))) return
		if (delivery.eventCount < MAX_EVENTS) await sleep(GATHER_MS, undefined, { signal })
		signal.throwIfAborted()
	}
}

/** Returns true when the receiver answered and refuses these events as they are. */
function isRefusal({ answerStatus }: queries.Attempt): boolean {
	return answerStatus !== null && answerStatus >= 400 && answerStatus < 500 && !NOT_OF_EVENTS.has(answerStatus)
}

/**
 * Returns true when a receiver that refuses an event accepts a test event. Then the fault is the event's, rather than that of
 * the address, a password or a firewall, which would refuse any event.
 */
async function acceptsTest(context: DeliveryContext, accountId: AccountId, sent: Sent): Promise<boolean> {
	const id = `${sent.delivery.id}_test_${sent.delivery.attempts}`
	const attempt = await send(context, accountId, { ...sent, delivery: { id, body: testBody() } })
	return attempt.error === null
}

/** Returns the body of a test delivery. */
export function testBody(): string {
	return JSON.stringify({ events: [{ id: randomUUID(), type: 'test', at: new Date(), data: {} }] })
}

interface Sent {
	url: string
	encrypted: Buffer
	delivery: queries.Delivery
	signal: AbortSignal
}

/** Sends one delivery and returns the attempt. Rejects when the process stops, in which case the attempt does not count. */
async function send(
	{ vault, env }: DeliveryContext,
	accountId: AccountId,
	{ url, encrypted, delivery, signal }: Omit<Sent, 'delivery'> & { delivery: { id: number | string; body: string } },
): Promise<queries.Attempt> {
	const body = Buffer.from(delivery.body)
	const signed = signedHeaders(vault, accountId, { encrypted, id: `dlv_${delivery.id}`, body })
	if (!signed) return { answerStatus: null, error: UNREADABLE_SECRET, durationMs: null }
	const headers = { 'content-type': 'application/json', 'user-agent': 'whatsapp-bulk-message', ...signed }
	const begunAtMs = performance.now()
	const durationMs = () => Math.round(performance.now() - begunAtMs)
	try {
		const request = { url, headers, body, timeoutMs: TIMEOUT_MS, signal }
		const answerStatus = await postPublic({ ...request, ...targetRules(env) })
		const isTaken = answerStatus >= 200 && answerStatus < 300
		return { answerStatus, error: isTaken ? null : `Answered with status ${answerStatus}`, durationMs: durationMs() }
	} catch {
		signal.throwIfAborted()
		return { answerStatus: null, error: NO_ANSWER, durationMs: null }
	}
}

/**
 * Error of an attempt whose signing secret no key of the vault decrypts, as after a change of SECRET_KEY without
 * OLD_SECRET_KEYS.
 */
const UNREADABLE_SECRET = 'The secret of this webhook can no longer be read. Make a new one.'

/** The only error of an attempt without an answer, so that a user cannot explore the installation's network with it. */
const NO_ANSWER = `No answer from this address within ${TIMEOUT_MS / 1000} seconds. Check the address, its certificate and its firewall.`

/**
 * Stores an attempt, and switches the address off when it answers 410 or has failed for GIVE_UP_MS. Returns true when
 * this run may send the next batch: after a success, unless another run has sent the same batch.
 */
function record(
	{ db, notify }: DeliveryContext,
	accountId: AccountId,
	{ address, delivery, attempt }: { address: number; delivery: queries.Delivery; attempt: queries.Attempt },
): Promise<boolean> {
	return transaction(db, async (sql) => {
		await queries.lockAddress(sql, accountId, address)
		const { id, attempts } = delivery
		if (attempt.error === null) {
			const isOnly = await queries.recordSuccess(sql, accountId, { ...attempt, id, attempts })
			// The receiver works: deliveries that wait for a retry become due.
			if (await queries.updateWorking(sql, accountId, address)) await queries.hastenDeliveries(sql, accountId, address)
			return isOnly
		}
		const now = await getNow(sql)
		const dueAt = new Date(now.getTime() + retryMs(attempts))
		if (!(await queries.recordFailure(sql, accountId, { ...attempt, id, attempts, dueAt }))) return false
		const since = await queries.updateFailing(sql, accountId, { address, at: now })
		if (attempt.answerStatus !== GONE && now.getTime() - since.getTime() < GIVE_UP_MS) return false
		if (!(await queries.switchOff(sql, accountId, address))) return false
		await notify(sql, accountId, notificationOf.webhookSwitchedOff())
		await addJobs(sql, switchedOffMailJob, [{ accountId }])
		return false
	})
}

/**
 * Ends the delivery of an event that its receiver always refuses. It is shown as failed and can be sent again. Returns
 * false when another run has attempted the delivery since.
 */
function setAside(
	db: Db,
	accountId: AccountId,
	{ address, delivery, attempt }: { address: number; delivery: queries.Delivery; attempt: queries.Attempt },
): Promise<boolean> {
	return transaction(db, async (sql) => {
		await queries.lockAddress(sql, accountId, address)
		const { id, attempts } = delivery
		if (!(await queries.recordFailure(sql, accountId, { ...attempt, id, attempts, dueAt: null }))) return false
		await queries.updateWorking(sql, accountId, address)
		return true
	})
}

/**
 * Returns the wait before the next attempt in milliseconds. It varies by up to a quarter, so that addresses that failed
 * together do not retry together.
 */
function retryMs(attempts: number): number {
	const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(attempts, 20), MAX_RETRY_SECONDS)
	return seconds * 1000 * (0.75 + Math.random() / 2)
}

async function sendMail({ db, mailer, env }: DeliveryContext, accountId: AccountId): Promise<void> {
	const user = await findActiveUser(db, accountId)
	if (!user) return
	await mailer.send({
		to: user.email,
		subject: 'A webhook was switched off',
		text: [
			'WhatsApp Bulk Message could not deliver events to one of your webhook\naddresses for three days, or the address answered that it is gone.\nThe address was switched off. Waiting events are stored for seven\ndays. New events are not sent to it.',
			`When your system answers again, switch the address on here to get the\nwaiting events:\n${env.PUBLIC_URL.replace(/\/$/, '')}${developerPaths.developers}`,
			'Until then, you can read the status of messages through the API.',
			'',
		].join('\n\n'),
	})
}

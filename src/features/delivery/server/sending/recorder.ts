import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { DatabaseWatch } from '#lib/server/db/hosts/database-watch.ts'
import type { Worker } from '#lib/server/jobs/workers.ts'
import type { Log } from '#lib/server/log.ts'
import { createSignal } from '#lib/server/signal.ts'
import type { ClaimedMessage } from '../claims/claim-queries.ts'
import { finishClaimed } from '../claims/finish-queries.ts'
import { insertUnsettled, type UnsettledMessage } from '../claims/unsettled-queries.ts'
import { givePlacesBack } from '../limits/campaign-reads.ts'
import type { MessageId } from '../message/message-id.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { noteRecipients } from '../message/send.ts'
import { failure } from '../message/status-update.ts'
import type { MessageUpdate } from '../settlement/message-changes.ts'
import { settle } from '../settlement/settle.ts'

/** Maximum number of attempts that the limit of a recipient refuses. The message then fails. */
const MAX_ATTEMPTS = 8
/** Interval in milliseconds at which outcomes are settled, unless a batch is full before. */
const SETTLE_INTERVAL_MS = 1000
/** Milliseconds that the first outcomes after a pause wait for others. */
const GATHER_MS = 60
const MAX_BATCH = 2000
const MAX_BACKOFF_MS = 2000
/** Outcomes after which a message is sent again. */
const RETRIED: ReadonlySet<Outcome['kind']> = new Set(['retry', 'returned', 'rerouted'])

export interface Recorder {
	/** Adds the outcome of a claimed message. */
	add(message: ClaimedMessage, outcome: Outcome): void
	/** Returns the number of outcomes that are not settled yet. */
	backlog(): number
	/** Resolves when everything added so far is settled. */
	drain(): Promise<void>
}

export interface RecorderOptions {
	db: Db
	accountId: AccountId
	lease: Lease
	notify: Notify
	log: Log
	worker: Pick<Worker, 'stopped'>
	watch: Pick<DatabaseWatch, 'now'>
	/**
	 * Called for each message whose outcome is written, or is left to the next holder of the lease because the worker has
	 * stopped.
	 */
	onSettled: (message: ClaimedMessage) => void
	/** Called when messages have returned to the queue. */
	onRetry: () => void
}

interface Recorded {
	message: ClaimedMessage
	outcome: Outcome
	/** Time of the database's clock. */
	at: Date
}

/**
 * Settles outcomes in batches: message rows, counters, ledger and the end of each claim in one transaction, so that a
 * crash leaves all or nothing. A transaction that fails is repeated until it succeeds or the worker has stopped. A
 * repeated transaction is idempotent when the answer to its COMMIT was lost.
 */
export function createRecorder(options: RecorderOptions): Recorder {
	const { db, accountId, log } = options
	const waiting: Recorded[] = []
	let writing: Promise<void> | null = null
	let writtenAt = 0
	let isDraining = false
	const full = createSignal()

	const write = async () => {
		while (waiting.length > 0) {
			const restMs = Math.max(GATHER_MS, writtenAt + SETTLE_INTERVAL_MS - performance.now())
			if (!isDraining && waiting.length < MAX_BATCH) await full.wait(restMs)
			const batch = waiting.splice(0, MAX_BATCH)
			writtenAt = performance.now()
			await settleUntilDone(options, batch)
			const answers = batch.map(({ message, outcome }) => ({ number: message.number, outcome }))
			// The next answer for this recipient repeats a lost opt-out or id.
			await noteRecipients(db, accountId, answers).catch((error: unknown) =>
				log.error({ error, accountId }, 'what was learnt of recipients could not be kept'),
			)
			for (const { message } of batch) options.onSettled(message)
			if (batch.some(({ outcome }) => RETRIED.has(outcome.kind))) options.onRetry()
		}
		writing = null
	}

	return {
		add(message, outcome) {
			waiting.push({ message, outcome, at: options.watch.now() })
			if (waiting.length >= MAX_BATCH) full.wake()
			writing ??= write()
		},
		backlog: () => waiting.length,
		async drain() {
			isDraining = true
			full.wake()
			await writing
			isDraining = false
		},
	}
}

async function settleUntilDone(options: RecorderOptions, batch: Recorded[]): Promise<void> {
	const { accountId, log, worker } = options
	for (let attempt = 1; ; attempt++) {
		try {
			return await settleBatch(options, batch)
		} catch (error) {
			log.error({ error, accountId, attempt }, 'outcomes could not be settled, trying again')
			// The messages stay claimed. The next holder of the lease recovers them.
			if (worker.stopped.aborted) return undefined
			await sleep(Math.min(50 * 2 ** attempt, MAX_BACKOFF_MS))
		}
	}
}

/**
 * Settles a batch. A verdict of Meta always counts. Our own decisions (retry, unknown, failed) count only while the
 * message is in our claim.
 */
async function settleBatch({ db, accountId, lease, notify }: RecorderOptions, batch: Recorded[]): Promise<void> {
	const work = async (sql: Parameters<typeof settle>[0]) => {
		const finished = batch.map(({ message }) => ({ batch: message.batch, seq: message.seq }))
		const held = new Set(
			(await finishClaimed(sql, accountId, { epoch: lease.epoch, finished })).map((one) => `${one.batch}:${one.seq}`),
		)
		const updates: MessageUpdate[] = []
		const unsettled: UnsettledMessage[] = []
		const free: MessageId[] = []
		for (const recorded of batch) {
			const { message } = recorded
			const { update, ...left } = consequenceOf(recorded)
			const isHeld = held.has(`${message.batch}:${message.seq}`)
			// A message outside our claim was counted by the transaction that took it out.
			if (update && (isHeld || left.isVerdict)) updates.push(isHeld ? update : { ...update, endpoint: undefined })
			if (left.unsettled && isHeld) unsettled.push(left.unsettled)
			if (message.isCounted && (isHeld || left.isVerdict) && isUnsent(recorded.outcome)) free.push(message)
		}
		if (updates.length > 0) await settle(sql, accountId, { updates, notify })
		if (unsettled.length > 0) await insertUnsettled(sql, accountId, unsettled)
		await givePlacesBack(sql, accountId, free)
	}
	await transaction(db, work, { isByKey: true })
}

/** Returns true for an outcome that proves that Meta has not accepted the message. */
function isUnsent({ kind }: Outcome): boolean {
	return kind !== 'accepted' && kind !== 'unknown'
}

interface Consequence {
	update?: MessageUpdate
	unsettled?: UnsettledMessage
	/** True for a verdict of Meta, false for our own decision. */
	isVerdict: boolean
}

/** Returns the changes of a message's row that an outcome causes. */
function consequenceOf({ message, outcome, at }: Recorded): Consequence {
	const { campaignId, seq, attempts, refusedBy } = message
	const id = { campaignId, seq }
	const failed = (code: number, error: string) => ({ ...id, ...failure(code, error, at) })
	const again = (retryInMs: number | null, made: number, by = refusedBy): Consequence => ({
		unsettled: { ...id, attempts: made, retryInMs, refusedBy: by },
		isVerdict: false,
	})
	switch (outcome.kind) {
		case 'accepted': {
			const { wamid, isInQualityCheck, endpoint } = outcome
			return {
				update: { ...id, status: 'sent', at, wamid, errorCode: null, error: null, isInQualityCheck, endpoint },
				isVerdict: true,
			}
		}
		case 'failed':
			// Our own codes are negative.
			return { update: failed(outcome.code, outcome.error), isVerdict: outcome.code >= 0 }
		case 'opted-out':
			return { update: failed(OWN_ERRORS.optedOut.code, OWN_ERRORS.optedOut.text), isVerdict: false }
		case 'retry':
			// Forgets the endpoint that refused the message, so that either endpoint may be tried.
			if (outcome.cause === 'preparing') return again(outcome.delayMs, attempts, null)
			if (outcome.cause !== 'recipient-limit') return again(outcome.delayMs, attempts)
			if (attempts + 1 < MAX_ATTEMPTS) return again(outcome.delayMs, attempts + 1)
			return { update: failed(outcome.code, outcome.error), isVerdict: false }
		case 'rerouted':
			return again(0, attempts, outcome.by)
		case 'campaign':
		case 'sender':
			if (message.isSingle) return { update: failed(outcome.code, outcome.error), isVerdict: true }
			// The refusal has a reason outside the message, which is sent again on any endpoint when the campaign is resumed.
			return again(0, attempts, null)
		case 'returned':
			return again(0, attempts)
		case 'unknown':
			return again(null, attempts + 1)
	}
}

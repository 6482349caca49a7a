import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Notify } from '#lib/server/notify.ts'
import type { StatusUpdate } from '../settlement/settle-queries.ts'
import { settle } from '../settlement/settle.ts'
import { deleteClaims, insertLeftovers, lockClaims, type ClaimedMessage, type Leftover } from './claim-queries.ts'
import type { Outcome } from './reply-classifier.ts'

/** Tries after which "later" becomes "failed". */
const MAX_TRIES = 8
/** Outcomes wait this long for others to be written with them, in milliseconds, or until there are this many. */
const GATHER_MS = 25
const GATHER_COUNT = 400

export interface Recorder {
	/** Tells that these messages are about to go on the wire. */
	expect(messages: ClaimedMessage[]): void
	/** Takes the outcome of one of them. */
	add(message: ClaimedMessage, outcome: Outcome): void
	/** Outcomes not yet written down. */
	backlog(): number
	/** Resolves when everything added so far is written down. */
	drain(): Promise<void>
}

export interface RecorderOptions {
	db: Db
	owner: OwnerId
	notify: Notify
	log: Log
}

interface Batch {
	updates: StatusUpdate[]
	leftovers: Leftover[]
	claimIds: number[]
}

/**
 * Writes outcomes down in batches: message rows, counters, ledger and the end of each claim in one transaction, so that
 * after a crash either all of it is known or none. A write that fails is repeated until it succeeds.
 */
export function createRecorder(options: RecorderOptions): Recorder {
	const open = new Map<number, number>()
	const waiting: { message: ClaimedMessage; outcome: Outcome; at: Date }[] = []
	let writing: Promise<void> | null = null

	const write = async () => {
		await sleep(waiting.length >= GATHER_COUNT ? 0 : GATHER_MS)
		while (waiting.length > 0) {
			const taken = waiting.splice(0, GATHER_COUNT * 2)
			const batch: Batch = { updates: [], leftovers: [], claimIds: [] }
			for (const { message, outcome, at } of taken) {
				sort(batch, message, { outcome, at })
				const left = (open.get(message.claimId) ?? 1) - 1
				if (left > 0) open.set(message.claimId, left)
				else if (open.delete(message.claimId)) batch.claimIds.push(message.claimId)
			}
			await writeUntilDone(options, batch)
		}
		writing = null
	}

	const drain = async (): Promise<void> => {
		if (writing === null) return
		await writing
		await drain()
	}

	return {
		expect(messages) {
			for (const { claimId } of messages) open.set(claimId, (open.get(claimId) ?? 0) + 1)
		},
		add(message, outcome) {
			waiting.push({ message, outcome, at: new Date() })
			writing ??= write()
		},
		backlog: () => waiting.length,
		drain,
	}
}

/** Decides what an outcome means for the message's row. */
function sort(batch: Batch, message: ClaimedMessage, { outcome, at }: { outcome: Outcome; at: Date }): void {
	const { campaignId, seq, claimId } = message
	const tries = message.tries + 1
	const update = { campaignId, seq, at, wamid: null, errorCode: null, error: null, held: false }
	const leftover: Leftover = { campaignId, seq, claimId, tries, retryAt: null, unknownSince: null }
	const retryAt = (delayMs: number) => new Date(at.getTime() + delayMs)
	switch (outcome.kind) {
		case 'accepted':
			batch.updates.push({ ...update, status: 'sent', wamid: outcome.wamid, held: outcome.held })
			break
		case 'failed':
			batch.updates.push({ ...update, status: 'failed', errorCode: outcome.code, error: outcome.error })
			break
		case 'retry':
			// A message that never reached the network has not been tried: an outage must not fail a campaign.
			if (outcome.code === 0) {
				batch.leftovers.push({ ...leftover, tries: message.tries, retryAt: retryAt(outcome.delayMs) })
			} else if (tries >= MAX_TRIES) {
				batch.updates.push({ ...update, status: 'failed', errorCode: outcome.code, error: outcome.error })
			} else {
				batch.leftovers.push({ ...leftover, retryAt: retryAt(outcome.delayMs) })
			}
			break
		case 'campaign':
		case 'sender':
			// Refused for a reason that lies outside the message: it goes out when the campaign is resumed.
			batch.leftovers.push({ ...leftover, tries: message.tries, retryAt: at })
			break
		case 'unknown':
			batch.leftovers.push({ ...leftover, unknownSince: at })
			break
	}
}

async function writeUntilDone(options: RecorderOptions, batch: Batch): Promise<void> {
	const { db, owner, notify, log } = options
	for (let attempt = 1; ; attempt++) {
		try {
			await transaction(db, async (sql) => {
				const held = await lockClaims(
					sql,
					owner,
					batch.leftovers.map((l) => l.claimId ?? 0),
				)
				const leftovers = batch.leftovers.filter((l) => held.has(l.claimId ?? 0))
				if (batch.updates.length > 0) await settle(sql, owner, { updates: batch.updates, notify })
				if (leftovers.length > 0) await insertLeftovers(sql, owner, leftovers)
				if (batch.claimIds.length > 0) await deleteClaims(sql, owner, batch.claimIds)
			})
			return
		} catch (error) {
			log.error({ error, owner, attempt }, 'outcomes could not be written, trying again')
			await sleep(Math.min(100 * 2 ** attempt, 5000))
		}
	}
}

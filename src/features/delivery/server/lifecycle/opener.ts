import { setTimeout as sleep } from 'node:timers/promises'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { Share, type EndTurn } from '#lib/server/fair-semaphore.ts'
import type { Log } from '#lib/server/log.ts'
import { openCampaign, type OpenerDeps } from './open.ts'
import { listDueAllAccounts, type DueCampaign } from './transition-queries.ts'

export interface Opener {
	/** Starts opening the due campaigns without waiting for them. Returns the number of newly found campaigns. */
	openDue(): Promise<number>
	/**
	 * Stops opening. Resolves when no campaign is being opened, without waiting for a long upload; its campaign stays pending.
	 */
	stop(): Promise<void>
}

/** Campaigns opened at the same time. One per account, so that a hanging upload delays no other account. */
const LIMITS = { each: 1, total: 8 }
const SCAN_LIMIT = 100
/** First delay after a temporary failure, in milliseconds. It doubles with each failure up to the maximum. */
const FIRST_RETRY_MS = 2000
const MAX_RETRY_MS = 60_000
const STOP_TIMEOUT_MS = 3000

interface Retry {
	attempts: number
	atMs: number
}

/** Opens campaigns at their time. Campaigns that could not be opened wait in memory; a restart tries them again. */
export function createOpener(deps: OpenerDeps & { log: Log }): Opener {
	const { db, log } = deps
	const queue = new Map<number, DueCampaign>()
	const opening = new Map<number, Promise<void>>()
	const share = new Share(LIMITS)
	const retries = new Map<number, Retry>()

	const open = async (due: DueCampaign, end: EndTurn) => {
		try {
			await openCampaign(deps, due)
			retries.delete(due.campaignId)
		} catch (error) {
			const attempts = (retries.get(due.campaignId)?.attempts ?? 0) + 1
			const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS)
			retries.set(due.campaignId, { attempts, atMs: performance.now() + waitMs })
			log.warn({ error, ...due, attempts, waitMs }, 'a campaign could not be opened and is tried again')
		} finally {
			opening.delete(due.campaignId)
			end()
			startNext()
		}
	}
	const startNext = () => {
		for (const [campaignId, due] of queue) {
			const end = share.tryBegin(due.accountId)
			if (!end) continue
			queue.delete(campaignId)
			opening.set(campaignId, open(due, end))
		}
	}
	/** The campaigns that the scan leaves out: queued, being opened, or waiting for the next attempt. */
	const known = () => {
		const nowMs = performance.now()
		for (const [id, { atMs }] of retries) if (atMs < nowMs - 2 * MAX_RETRY_MS) retries.delete(id)
		const waiting = [...retries].filter(([, { atMs }]) => atMs > nowMs).map(([id]) => id)
		return [...queue.keys(), ...opening.keys(), ...waiting]
	}

	return {
		async openDue() {
			const except = known()
			const due = await scanAllAccounts(db, (only) => listDueAllAccounts(db, { except, limit: SCAN_LIMIT, only }))
			for (const one of due) queue.set(one.campaignId, one)
			startNext()
			return due.length
		},
		async stop() {
			queue.clear()
			const opened = Promise.all(opening.values())
			await Promise.race([opened, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
		},
	}
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import type { EventKind } from './events.ts'

const POLL_INTERVAL_MS = 200

/** Time from an event until every unfinished campaign had sent again; null if that was not observed. */
export interface Recovery {
	kind: EventKind
	recoveryMs: number | null
}

interface Watched extends Recovery {
	at: number
	/** Cursor of each campaign that has not moved since the event; null before the database answered again. */
	waiting: Map<number, number> | null
}

interface Row {
	account: number
	claimedThrough: number
	total: number
	isFinished: boolean
}

/** Watches the campaigns' cursors, and measures how long each event interrupts sending. */
export class Progress {
	/** Number of unfinished campaigns; null before the first query. */
	unfinished: number | null = null
	/** Number of messages claimed so far. */
	claimed = 0
	readonly #db: Db
	readonly #watched: Watched[] = []
	readonly #done: Promise<void>
	#isStopped = false

	constructor(db: Db) {
		this.#db = db
		this.#done = this.#watch()
	}

	get recoveries(): Recovery[] {
		return this.#watched.map(({ kind, recoveryMs }) => ({ kind, recoveryMs }))
	}

	noteEvent(kind: EventKind): void {
		this.#watched.push({ kind, recoveryMs: null, at: performance.now(), waiting: null })
	}

	async stop(): Promise<void> {
		this.#isStopped = true
		await this.#done
	}

	async #watch(): Promise<void> {
		while (!this.#isStopped) {
			const askedAt = performance.now()
			const rows = await this.#read()
			if (rows.length > 0) this.#compare(rows, askedAt)
			await sleep(POLL_INTERVAL_MS)
		}
	}

	// Returns no rows while PostgreSQL is down.
	async #read(): Promise<Row[]> {
		const db = this.#db
		return db<Row[]>`
			select account_id as account, claimed_through as "claimedThrough", total_count as total,
				finished_at is not null as "isFinished"
			from campaigns
		`.catch(() => [])
	}

	#compare(rows: Row[], askedAt: number): void {
		this.unfinished = rows.filter((row) => !row.isFinished).length
		this.claimed = rows.reduce((sum, row) => sum + row.claimedThrough, 0)
		for (const event of this.#watched) {
			if (event.recoveryMs !== null || event.at > askedAt) continue
			const sending = rows.filter((row) => row.claimedThrough < row.total && !row.isFinished)
			if (event.waiting === null) {
				event.waiting = new Map(sending.map((row) => [row.account, row.claimedThrough]))
				continue
			}
			const { waiting } = event
			const still = sending.filter((row) => waiting.get(row.account) === row.claimedThrough)
			event.waiting = new Map(still.map((row) => [row.account, row.claimedThrough]))
			if (still.length === 0) event.recoveryMs = askedAt - event.at
		}
	}
}

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { transaction, type Db } from '../db.ts'
import type { Log } from '../log.ts'

/** This process among the workers on one database: whether it is still counted as alive, and who else is. */
export interface Worker {
	/** Names this process in leases and claims. */
	id: string
	/** Every worker alive at the last heartbeat, this one included, the longest running first. */
	peers(): readonly string[]
	/** Sends a heartbeat now, and returns every worker alive at it. */
	refreshPeers(): Promise<readonly string[]>
	/** In how many milliseconds the leases of some other worker are free, unless a heartbeat of it has come meanwhile. */
	nextExpiryMs(): number
	/** Whether this worker does the housekeeping for all. */
	isElected(): boolean
	/** Whether its leases still hold, by the process's own monotonic clock: false at once for a process that was frozen for too long. */
	isAlive(): boolean
	/** Aborted when this worker stops: it leaves notifications that still arrive to the other workers. */
	stopped: AbortSignal
	stop(): Promise<void>
}

const HEARTBEAT_INTERVAL_MS = 2000
const HEARTBEAT_TIMEOUT_MS = 1500
/** In seconds, by the database's clock: without a heartbeat for so long, a worker's leases are free. */
export const LEASE_SECONDS = 10
/** By the worker's own clock it gives up earlier, counted from when it sent the heartbeat. */
const LEASE_MS = 8000
/** In seconds: rows of workers that died are removed after so long. */
const FORGET_SECONDS = 3600

/** Enters this process among the workers and keeps it there by a heartbeat. Rejects when the first one fails. */
export async function startWorkerHeartbeat(db: Db, log: Log): Promise<Worker> {
	const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
	let peers: string[] = []
	let nextExpiryAt = Number.POSITIVE_INFINITY
	let renewedAt = 0
	const stopping = new AbortController()
	const sendHeartbeat = async () => {
		const sentAt = performance.now()
		const rows = await transaction(
			db,
			async (sql) => {
				await sql`
					insert into workers (id) values (${id})
					on conflict (id) do update set heartbeat_at = excluded.heartbeat_at
				`
				return sql<{ id: string; leftMs: number }[]>`
					select id, (extract(epoch from heartbeat_at - now()) + ${LEASE_SECONDS}::int)::float8 * 1000 as "leftMs"
					from workers order by started_at, id
				`
			},
			{ timeoutMs: HEARTBEAT_TIMEOUT_MS },
		)
		renewedAt = Math.max(renewedAt, sentAt)
		// A heartbeat that seems to lie in the future was written before the database's clock was put back.
		const alive = rows.filter(({ leftMs }) => leftMs > 0 && leftMs <= 2 * LEASE_SECONDS * 1000)
		peers = alive.map((row) => row.id)
		const others = alive.filter((row) => row.id !== id)
		nextExpiryAt = performance.now() + Math.min(...others.map(({ leftMs }) => leftMs))
		return peers
	}
	await sendHeartbeat()
	let beating: Promise<unknown> | null = null
	const timer = setInterval(() => {
		beating ??= sendHeartbeat()
			.catch((error: unknown) => log.warn({ error }, 'the heartbeat of this worker failed'))
			.finally(() => (beating = null))
	}, HEARTBEAT_INTERVAL_MS)
	return {
		id,
		peers: () => peers,
		refreshPeers: sendHeartbeat,
		nextExpiryMs: () => nextExpiryAt - performance.now(),
		isElected: () => isAlive() && peers[0] === id,
		isAlive,
		stopped: stopping.signal,
		async stop() {
			stopping.abort()
			clearInterval(timer)
			await beating
			await db`
				delete from workers where id = ${id} or heartbeat_at < now() - make_interval(secs => ${FORGET_SECONDS})
			`
		},
	}

	function isAlive() {
		return !stopping.signal.aborted && performance.now() - renewedAt < LEASE_MS
	}
}

/** The workers whose heartbeats come. */
export async function listAliveWorkers(db: Db): Promise<string[]> {
	const rows = await db<{ id: string }[]>`
		select id from workers where heartbeat_at > now() - ${LEASE_SECONDS} * interval '1 second'
	`
	return rows.map(({ id }) => id)
}

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { transaction, type Db } from '../db.ts'
import type { Log } from '../log.ts'

/** This process as one of the workers of a database. */
export interface Worker {
	/** Id of this process in leases and claims. */
	id: string
	/** Returns the workers alive at the last heartbeat, including this one, the longest running first. */
	peers(): readonly string[]
	/** Sends a heartbeat now, and returns the workers alive. */
	refreshPeers(): Promise<readonly string[]>
	/** Returns the milliseconds until the next worker's leases expire, if it sends no heartbeat. */
	nextExpiryMs(): number
	/** Returns true when this worker does the housekeeping. */
	isElected(): boolean
	/**
	 * Returns true while this worker's leases hold by its own monotonic clock; false right after a process was frozen too
	 * long.
	 */
	isAlive(): boolean
	/** Aborts when this worker stops, which leaves later notifications to the other workers. */
	stopped: AbortSignal
	stop(): Promise<void>
}

const HEARTBEAT_INTERVAL_MS = 2000
const HEARTBEAT_TIMEOUT_MS = 1500
/** Seconds without a heartbeat, by the database's clock, after which a worker's leases are free. */
export const LEASE_SECONDS = 10
/**
 * Milliseconds since sending the last heartbeat after which a worker gives up its leases, by its own clock. Shorter
 * than LEASE_SECONDS.
 */
const LEASE_MS = 8000
/** Seconds after which rows of dead workers are deleted. */
const FORGET_SECONDS = 3600

/** Registers this process as a worker and sends heartbeats. Rejects when the first heartbeat fails. */
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
		// A heartbeat far in the future was written before the database's clock was set back.
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

/** Returns the ids of the workers with a current heartbeat. */
export async function listAliveWorkers(db: Db): Promise<string[]> {
	const rows = await db<{ id: string }[]>`
		select id from workers where heartbeat_at > now() - ${LEASE_SECONDS} * interval '1 second'
	`
	return rows.map(({ id }) => id)
}

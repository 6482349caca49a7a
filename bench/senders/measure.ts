import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import { cpuSeconds, cpuSecondsOfFamily, cpuSecondsOfMachine, parentOf } from '../programs/processes.ts'
import type { Scene } from './scene.ts'
import { idealOf, type Shape } from './shapes.ts'

/**
 * Warm-up after the last sender's first message. By its end statuses arrive as fast as messages are sent, and earlier work has
 * been counted: a connection reports its transactions at its next one, or after ten seconds of idleness.
 */
const WARM_UP_MS = 13_000
const START_TIMEOUT_MS = 25_000
const POLL_INTERVAL_MS = 100
/** Interval at which a connection in use reports its transactions: once a second, and some slack. */
const REPORT_MS = 1_500

export interface Stats {
	seconds: number
	/** Messages a second that the simulator accepted. */
	rate: number
	ratio: number
	/** Pace of the slowest sender as a share of its allowed pace. */
	slowest: number
	transactionsPerSecond: number
	transactionsPerMessage: number
	/** Updates (statuses) a second that the product accepted, and the number waiting at the end. */
	statusRate: number
	statusBacklog: number
	maxInFlight: number
	maxConnections: number
	/** Used cores by process; `others` is the rest of the machine. */
	cores: Record<string, number>
	/** True if some campaign had no recipients left at the end. */
	isDry: boolean
	/** Seconds until every sender had sent. */
	startSeconds: number
}

/**
 * Measures a shape. `admin` is connected to another database of the same server, so that its own transactions are not counted.
 */
export async function measureShape(
	scene: Scene,
	shape: Shape,
	{ admin, seconds }: { admin: Db; seconds: number },
): Promise<Stats> {
	const startSeconds = await allSending(scene, shape)
	await sleep(WARM_UP_MS)
	await scene.control.loadStats({ resetMaxima: true })
	const before = await snapshot(scene, admin)
	await sleep(seconds * 1_000)
	const after = await snapshot(scene, admin)
	const { max_in_flight, max_connections } = await scene.control.loadStats()
	const elapsed = after.at - before.at
	const messages = after.accepted - before.accepted
	const transactions = after.transactions - before.transactions
	const ofPhones = Object.entries(after.byPhone).map(([id, count]) => count - (before.byPhone[id] ?? 0))
	const [pending] = await scene.database.sql<{ dry: number }[]>`
		select count(*)::integer as dry from campaigns where finished_at is not null or claimed_through >= total_count
	`
	const rate = messages / elapsed
	return {
		seconds: elapsed,
		rate,
		ratio: rate / idealOf(shape),
		slowest: ofPhones.length < shape.senders ? 0 : Math.min(...ofPhones) / elapsed / (idealOf(shape) / shape.senders),
		transactionsPerSecond: transactions / elapsed,
		transactionsPerMessage: transactions / messages,
		statusRate: (after.statuses - before.statuses) / elapsed,
		statusBacklog: after.outstanding,
		maxInFlight: max_in_flight,
		maxConnections: max_connections,
		cores: coresBetween(before, after),
		isDry: (pending?.dry ?? 0) > 0,
		startSeconds,
	}
}

/** Measures the transactions a second and the used cores while no message is to be sent. */
export async function measureIdle(
	scene: Scene,
	{ admin, seconds }: { admin: Db; seconds: number },
): Promise<Pick<Stats, 'transactionsPerSecond' | 'cores'>> {
	await sleep(WARM_UP_MS)
	const before = await snapshot(scene, admin)
	await sleep(seconds * 1_000)
	const after = await snapshot(scene, admin)
	const transactionsPerSecond = (after.transactions - before.transactions) / (after.at - before.at)
	return { transactionsPerSecond, cores: coresBetween(before, after) }
}

/** Waits until every sender has sent, with a time limit: the stats show a sender that is too slow. Returns the seconds. */
async function allSending({ control }: Scene, { senders }: Shape): Promise<number> {
	const begun = performance.now()
	for (;;) {
		const { by_phone_number } = await control.counters()
		const elapsedMs = performance.now() - begun
		if (Object.keys(by_phone_number).length >= senders || elapsedMs > START_TIMEOUT_MS) return elapsedMs / 1_000
		await sleep(POLL_INTERVAL_MS)
	}
}

interface Snapshot {
	/** Time in seconds. */
	at: number
	accepted: number
	byPhone: Record<string, number>
	statuses: number
	outstanding: number
	transactions: number
	cpu: Record<string, number>
}

async function snapshot({ control, simulator, processes, database }: Scene, admin: Db): Promise<Snapshot> {
	const name = new URL(database.url).pathname.slice(1)
	const [{ accepted, by_phone_number }, webhooks] = await Promise.all([control.counters(), control.webhookStats()])
	const at = performance.now() / 1_000
	const [backend] = await admin<{ pid: number }[]>`select pg_backend_pid() as pid`
	const cpu: Record<string, number> = { machine: cpuSecondsOfMachine(), bench: cpuSeconds(process.pid) }
	for (const { role, pid } of processes) cpu[role] = cpuSeconds(pid)
	cpu['simulator'] = cpuSeconds(simulator.pid)
	cpu['postgres'] = cpuSecondsOfFamily(parentOf(backend?.pid ?? 0))
	await sleep(REPORT_MS)
	const [stats] = await admin<{ transactions: number }[]>`
		select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = ${name}
	`
	return {
		at,
		accepted,
		byPhone: by_phone_number,
		statuses: webhooks.updates,
		outstanding: webhooks.outstanding,
		transactions: stats?.transactions ?? 0,
		cpu,
	}
}

function coresBetween(before: Snapshot, after: Snapshot): Record<string, number> {
	const elapsed = after.at - before.at
	const cores: Record<string, number> = {}
	for (const [name, seconds] of Object.entries(after.cpu)) cores[name] = (seconds - (before.cpu[name] ?? 0)) / elapsed
	const { machine = 0, bench = 0, ...ours } = cores
	return { ...ours, others: Math.max(0, machine - bench - Object.values(ours).reduce((sum, each) => sum + each, 0)) }
}

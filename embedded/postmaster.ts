import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, choosePort } from './cluster.ts'
import { isPostgresOf, processesOf } from './processes.ts'
import { type Programs, commandFor } from './run-as.ts'

export interface Postmaster {
	pid: number
	port: number
}

const MAX_LOG_BYTES = 10_000_000
/** Maximum time for a start or a stop. Recovery after a crash replays at most max_wal_size, which takes seconds. */
const TIMEOUT_MS = 60_000

function readPidFile(cluster: Cluster) {
	const file = join(cluster.data, 'postmaster.pid')
	const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
	const pid = Number(lines[0])
	return pid > 0 ? { file, pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() } : undefined
}

/** Returns the postmaster that serves this cluster, if there is one. Waits while it is starting or stopping. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
	const deadline = Date.now() + TIMEOUT_MS
	while (Date.now() < deadline) {
		const found = readPidFile(cluster)
		if (!found) return undefined
		if (!isPostgresOf(cluster.data, found.pid)) {
			// The pid now belongs to another program. PostgreSQL would take that program for a postmaster and refuse to start.
			rmSync(found.file, { force: true })
			return undefined
		}
		if (found.status === 'ready') return found
		await sleep(10)
	}
	throw new Error(`PostgreSQL does not become ready: see ${cluster.logFile}.`)
}

/**
 * Starts PostgreSQL. Returns undefined when a process that is ending still uses the port or the data folder; the caller
 * retries.
 */
export async function launchPostmaster(
	cluster: Cluster,
	programs: Programs,
	settings: Record<string, string>,
): Promise<Postmaster | undefined> {
	const port = await choosePort(cluster)
	keepLogSmall(cluster.logFile)
	const logStart = existsSync(cluster.logFile) ? statSync(cluster.logFile).size : 0
	const log = openSync(cluster.logFile, 'a', 0o600)
	const given = Object.entries({ ...settings, port: String(port) }).map(([name, value]) => `--${name}=${value}`)
	const { file, args, options } = commandFor(programs, 'postgres', ['-D', cluster.data, ...given])
	// In a session of its own, the server gets no Ctrl-C. This process stops it after its own work.
	const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log], windowsHide: true })
	closeSync(log)
	const failed: { message?: string } = {}
	child.once('error', (error) => (failed.message = error.message))
	child.unref()
	const deadline = Date.now() + TIMEOUT_MS
	while (!failed.message && child.exitCode === null && child.signalCode === null) {
		const found = readPidFile(cluster)
		if (found?.pid === child.pid && found?.status === 'ready') return found
		if (Date.now() > deadline) throw new Error(`PostgreSQL does not become ready: see ${cluster.logFile}.`)
		await sleep(5)
	}
	const failure = failed.message ?? readFileSync(cluster.logFile).subarray(logStart).toString().trim()
	if (!/still in use|already exists|could not bind|could not create any TCP/.test(failure)) {
		throw new Error(`PostgreSQL did not start: ${failure}`)
	}
	await sleep(50)
	return undefined
}

/** Ends the backends of a killed postmaster. Only backends that are running a query outlive their postmaster. */
export function killOrphanedBackends(cluster: Cluster) {
	for (const pid of processesOf(cluster.data)) process.kill(pid, 'SIGQUIT')
}

/** Stops PostgreSQL by a fast shutdown: open transactions are rolled back, and every acknowledged commit is on disk. */
export async function stopPostmaster(cluster: Cluster, programs: Programs, pid: number) {
	if (process.platform === 'win32') {
		const { file, args, options } = commandFor(programs, 'pg_ctl', ['stop', '-D', cluster.data, '-m', 'fast', '-w'])
		spawnSync(file, args, options)
		return
	}
	const deadline = Date.now() + TIMEOUT_MS
	const hurryAt = Date.now() + TIMEOUT_MS / 2
	let isHurried = false
	if (isPostgresOf(cluster.data, pid)) process.kill(pid, 'SIGINT')
	while (isPostgresOf(cluster.data, pid)) {
		// A fast shutdown during a recovery may hang. An immediate one ends without a checkpoint, and the next start recovers.
		if (!isHurried && Date.now() > hurryAt) {
			isHurried = true
			process.kill(pid, 'SIGQUIT')
		}
		if (Date.now() > deadline) throw new Error(`PostgreSQL does not stop: see ${cluster.logFile}.`)
		await sleep(10)
	}
}

function keepLogSmall(logFile: string) {
	if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`)
}

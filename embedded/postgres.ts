import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { type Cluster, openCluster, urlOf } from './cluster.ts'
import { DataDirInUse, type AccountLock, takeAccountLock } from './owner-lock.ts'
import {
	killOrphanedBackends,
	findPostmaster,
	launchPostmaster,
	type Postmaster,
	stopPostmaster,
} from './postmaster.ts'
import { findPrograms, type Programs } from './run-as.ts'

interface Log {
	info(message: string): void
	warn(message: string): void
	error(message: string): void
}

interface Options {
	dataDir: string
	log: Log
	settings?: Record<string, string>
}

// Settings for a machine with two cores and a few gigabytes. An acknowledged commit is on disk.
const defaults = {
	listen_addresses: '127.0.0.1',
	unix_socket_directories: '',
	max_connections: '200',
	shared_buffers: '256MB',
	effective_cache_size: '1GB',
	maintenance_work_mem: '128MB',
	max_wal_size: '2GB',
	wal_compression: 'on',
	fsync: 'on',
	synchronous_commit: 'on',
	random_page_cost: '1.1',
	jit: 'off',
	max_parallel_workers_per_gather: '0',
	timezone: 'UTC',
	log_timezone: 'UTC',
	log_line_prefix: '%m [%p] %a ',
}

/**
 * Starts the PostgreSQL in node_modules, with its files in `dataDir`/postgres. Takes over a server that a killed process
 * left running, and restarts the server whenever it exits.
 */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: Options) {
	mkdirSync(dataDir, { recursive: true })
	const clusterDir = join(resolve(dataDir), 'postgres')
	const programs = findPrograms(resolve(dataDir), clusterDir)
	const cluster = await openCluster(clusterDir, programs)
	const server: Server = { cluster, programs, dataDir, log, settings: { ...defaults, ...settings } }
	const stopping = new AbortController()
	let stopped: Promise<void> | undefined
	let recovery = Promise.resolve()
	let open = await takeServer(server, recover)
	function recover() {
		if (stopping.signal.aborted) return
		log.error('The connection to PostgreSQL broke; looking for it and starting it again if need be.')
		recovery = takeAgain()
	}
	/** Retries until PostgreSQL runs again. On a full disk it cannot start before there is space. */
	async function takeAgain() {
		let loggedAt = -Infinity
		while (!stopping.signal.aborted) {
			try {
				open = await takeServer(server, recover)
				return
			} catch (error) {
				if (performance.now() - loggedAt > LOG_INTERVAL_MS) {
					loggedAt = performance.now()
					log.error(`PostgreSQL is lost, and tried again every few seconds: ${(error as Error).message}`)
				}
				await sleep(RETRY_MS)
			}
		}
	}
	return {
		url: urlOf(cluster, open.postmaster.port),
		stop() {
			stopping.abort()
			stopped ??= stop()
			return stopped
		},
	}
	async function stop() {
		await recovery
		await stopPostmaster(cluster, programs, open.postmaster.pid)
		await open.lock.release()
	}
}

interface Server extends Required<Options> {
	cluster: Cluster
	programs: Programs
}

interface Open {
	postmaster: Postmaster
	lock: AccountLock
}

/** Delay between two attempts to restart PostgreSQL. `LOG_INTERVAL_MS` is the minimum time between two log lines about it. */
const RETRY_MS = 2000
const LOG_INTERVAL_MS = 60_000

const CANNOT_CONNECT_NOW = '57P03'
const STARTUP_POLL_MS = 100
/** Time after which a server that accepts no connection is restarted. */
const RECOVERY_MS = 8000

function isStartingUp(error: unknown): boolean {
	return error instanceof DatabaseError && error.code === CANNOT_CONNECT_NOW
}

async function takeServer(server: Server, onLost: () => void): Promise<Open> {
	const { cluster, programs, dataDir, log, settings } = server
	const started = Date.now()
	let launched = false
	while (Date.now() - started < 60_000) {
		const running = await findPostmaster(cluster)
		const postmaster = running ?? (await launchPostmaster(cluster, programs, settings))
		if (!postmaster) {
			if (Date.now() - started > 5000) killOrphanedBackends(cluster)
			continue
		}
		launched ||= !running
		try {
			const lock = await takeAccountLock(urlOf(cluster, postmaster.port), dataDir, onLost)
			log.info(running ? 'Took over the PostgreSQL of an earlier run' : `PostgreSQL runs on port ${postmaster.port}`)
			return { postmaster, lock }
		} catch (error) {
			if (error instanceof DataDirInUse) throw error
			// PostgreSQL recovers without help from the crash of one of its processes; stopping it during the recovery may
			// hang.
			if (isStartingUp(error) || Date.now() - started < RECOVERY_MS) {
				await sleep(STARTUP_POLL_MS)
				continue
			}
			if (launched) throw error
			log.warn(`A PostgreSQL of an earlier run does not answer (${(error as Error).message}); stopping it.`)
			await stopPostmaster(cluster, programs, postmaster.pid)
		}
	}
	throw new Error(`PostgreSQL does not start: see ${cluster.logFile}.`)
}

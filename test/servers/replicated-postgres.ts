import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster, urlOf } from '#embedded/cluster.ts'
import { launchPostmaster, stopPostmaster } from '#embedded/postmaster.ts'
import { processesOf } from '#embedded/processes.ts'
import { findPrograms } from '#embedded/run-as.ts'
import { signalProcess } from '../child-process.ts'
import { findFreePort } from '../free-port.ts'
import { until } from '../until.ts'
import { asAdmin } from './cluster.ts'

const STANDBY = 'standby_one'
const SETTINGS = {
	listen_addresses: '127.0.0.1',
	unix_socket_directories: '',
	max_connections: '200',
	shared_buffers: '64MB',
	timezone: 'UTC',
	// The machine is not killed, so written data is safe without fsync.
	fsync: 'off',
}
const REPLICATED_MS = 30_000

export interface PostgresServer {
	url: string
	/** Kills the server as a power cut does. */
	kill(): Promise<void>
	/** Starts a killed server again on the same port. */
	start(): Promise<void>
	/** Freezes the server's processes, as a machine that does not answer; `false` continues them. */
	freeze(isFrozen?: boolean): void
}

export interface ReplicatedPostgres {
	primary: PostgresServer
	standby: PostgresServer
	/** Promotes the standby to a primary. */
	promote(): Promise<void>
	stop(): Promise<void>
}

/** Starts a primary and a streaming standby from a copy of its files. With `isSynchronous`, commits wait for the standby. */
export async function startReplicatedPostgres({
	isSynchronous,
}: {
	isSynchronous: boolean
}): Promise<ReplicatedPostgres> {
	const dir = await mkdtemp(join(tmpdir(), 'test-replicated-'))
	await chmod(dir, 0o755)
	const [first, second] = [join(dir, 'primary'), join(dir, 'standby')]
	const programs = findPrograms(dir, first)
	const original = await openCluster(first, programs)
	await cp(first, second, { recursive: true, preserveTimestamps: true })
	await writeFile(join(second, 'data', 'standby.signal'), '')
	const copy = await openCluster(second, programs)
	const [firstPort, secondPort] = [await findFreePort(), await findFreePort()]
	await writeFile(original.portFile, String(firstPort))
	await writeFile(copy.portFile, String(secondPort))
	const conninfo = `host=127.0.0.1 port=${firstPort} user=postgres password=${original.password} application_name=${STANDBY}`
	const primary = serverOf(original, programs, {
		...SETTINGS,
		wal_keep_size: '256MB',
		synchronous_standby_names: isSynchronous ? STANDBY : '',
	})
	const standby = serverOf(copy, programs, { ...SETTINGS, primary_conninfo: conninfo })
	const stop = async () => {
		for (const server of [primary, standby]) {
			server.freeze(false)
			await server.stop()
		}
		await rm(dir, { recursive: true, force: true })
	}
	try {
		await primary.start()
		await standby.start()
		await asAdmin(primary.url, (db) =>
			until(
				async () => (await db`select 1 from pg_stat_replication where state = 'streaming'`).length === 1,
				REPLICATED_MS,
			),
		)
	} catch (error) {
		await stop()
		throw error
	}
	return {
		primary,
		standby,
		async promote() {
			await asAdmin(standby.url, (db) => db`select pg_promote()`)
		},
		stop,
	}
}

type Cluster = Awaited<ReturnType<typeof openCluster>>
type Programs = ReturnType<typeof findPrograms>

function serverOf(cluster: Cluster, programs: Programs, settings: Record<string, string>) {
	let pid = 0
	let url = ''
	const signal = (name: NodeJS.Signals) => {
		for (const each of processesOf(cluster.data)) signalProcess(each, name)
	}
	return {
		get url() {
			return url
		},
		async start() {
			const launched = await launchPostmaster(cluster, programs, settings)
			if (!launched) throw new Error(`PostgreSQL did not start: see ${cluster.logFile}`)
			pid = launched.pid
			url = urlOf(cluster, launched.port)
		},
		async kill() {
			signal('SIGKILL')
			await until(() => processesOf(cluster.data).length === 0, REPLICATED_MS)
		},
		freeze: (isFrozen = true) => signal(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
		stop: () => (pid === 0 ? Promise.resolve() : stopPostmaster(cluster, programs, pid)),
	}
}

import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { processesOf } from '#embedded/processes.ts'
import { connect, type Db } from '#lib/server/db.ts'
import { connectSimulator } from '#simulator/client.ts'
import type { Control } from '#simulator/control.ts'
import { findFreePort } from '../free-port.ts'
import { trustedCertificate } from '../servers/certificate.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { START_TIMEOUT_MS } from '../until.ts'
import type { SoakOptions } from './options.ts'
import type { Random } from './random.ts'
import { SupervisedProcess } from './supervised-process.ts'

const SIMULATOR = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url))
// Settings of a PostgreSQL that is killed on a running machine: written data is safe with the operating system, but data that
// is only acknowledged would be lost.
const POSTGRES_SETTINGS = {
	fsync: 'off',
	full_page_writes: 'off',
	synchronous_commit: 'on',
	shared_buffers: '128MB',
	max_connections: '300',
}

/** The product as it runs in production, each part as a process, with the network and the database that it needs. */
export interface Deployment {
	dir: string
	/** PostgreSQL's data folder. */
	postgresData: string
	/** Connection that bypasses the proxy. */
	db: Db
	databaseUrl: string
	proxy: TcpProxy
	simulator: Control
	http: SupervisedProcess
	workers: SupervisedProcess[]
	/** Variables for another process of the product, started by the soak itself. */
	env: Record<string, string>
	stop(): Promise<void>
}

export async function startDeployment(options: SoakOptions, random: Random): Promise<Deployment> {
	const dir = await mkdtemp(join(tmpdir(), `soak-${process.pid}-`))
	await chmod(dir, 0o755)
	for (const name of ['tmp', 'data']) await mkdir(join(dir, name))
	const stops: (() => Promise<unknown>)[] = []
	// Stops the deployment after an interrupt, so that no process is left behind.
	const interrupt = () => void stop().then(() => process.exit(130))
	process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
	const stop = async () => {
		process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
		for (const each of stops.splice(0).toReversed()) await each()
		if (options.keepsFolder) options.log(`The logs are in ${dir}`)
		else await rm(dir, { recursive: true, force: true })
	}
	try {
		const postgresData = join(dir, 'postgres', 'data')
		const log = { info: () => {}, warn: options.log, error: options.log }
		const postgres = await startEmbeddedPostgres({ dataDir: dir, log, settings: POSTGRES_SETTINGS })
		stops.push(() => postgres.stop().catch(() => killAll(postgresData)))
		const db = connect(postgres.url, { max: 4, name: 'soak' })
		stops.push(() => db.end())
		const proxy = await startTcpProxy({ port: Number(new URL(postgres.url).port), random: random.next })
		stops.push(() => proxy.close())
		const [simulatorPort, httpPort] = [await findFreePort(), await findFreePort()]
		const graphUrl = `https://127.0.0.1:${simulatorPort}`
		const { keyFile, certFile } = await trustedCertificate()
		const simulator = new SupervisedProcess({
			file: SIMULATOR,
			env: { PORT: String(simulatorPort), TLS_KEY_FILE: keyFile, TLS_CERT_FILE: certFile },
			logFile: join(dir, 'simulator.log'),
		})
		stops.push(() => simulator.stop())
		const env = {
			NODE_ENV: 'test',
			DATABASE_URL: proxy.url(postgres.url),
			SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
			GRAPH_URL: graphUrl,
			NODE_EXTRA_CA_CERTS: certFile,
			PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
			DATA_DIR: join(dir, 'data'),
			TMPDIR: join(dir, 'tmp'),
			LOG_LEVEL: 'warn',
			UNKNOWN_AFTER: String(options.unknownAfterSeconds),
		}
		const start = async (name: string, own: Record<string, string>) => {
			const port = own.PORT ?? String(await findFreePort())
			const started = new SupervisedProcess({ env: { ...env, PORT: port, ...own }, logFile: join(dir, `${name}.log`) })
			stops.push(() => started.stop())
			return started
		}
		const http = await start('http', { ROLE: 'http', PORT: String(httpPort) })
		await waitForAnswer(`${env.PUBLIC_URL}/readyz`)
		await waitForAnswer(`${graphUrl}/_simulator`)
		await requireHttp2(simulatorPort)
		const names = Array.from({ length: options.workers }, (_, index) => `worker-${index + 1}`)
		const workers = await Promise.all(names.map((name) => start(name, { ROLE: 'worker' })))
		const common = { dir, postgresData, db, databaseUrl: postgres.url, proxy, simulator: connectSimulator(graphUrl) }
		return { ...common, http, workers, env, stop }
	} catch (error) {
		await stop()
		throw error
	}
}

/** Kills PostgreSQL if it does not stop, so that it does not outlive the run. */
async function killAll(postgresData: string): Promise<void> {
	for (const pid of processesOf(postgresData)) process.kill(pid, 'SIGQUIT')
}

/** Throws unless the network offers HTTP/2. Otherwise its absence from the product's calls would prove nothing. */
async function requireHttp2(port: number): Promise<void> {
	const socket = connectTls({ host: '127.0.0.1', port, ALPNProtocols: ['h2', 'http/1.1'] })
	await once(socket, 'secureConnect')
	socket.destroy()
	if (socket.alpnProtocol !== 'h2') throw new Error('the network does not offer HTTP/2')
}

async function waitForAnswer(url: string): Promise<void> {
	const deadline = performance.now() + START_TIMEOUT_MS
	const answers = () =>
		fetch(url).then(
			(response) => response.status < 500,
			() => false,
		)
	while (!(await answers())) {
		if (performance.now() > deadline) throw new Error(`${url} does not answer`)
		await sleep(50)
	}
}

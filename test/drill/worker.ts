import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '#lib/server/db.ts'
import { connectSimulator } from '#simulator/client.ts'
import { startChild } from '../child-process.ts'
import { findFreePort } from '../free-port.ts'
import { trustedCertificate } from '../servers/certificate.ts'
import { startTestPostgres } from '../servers/postgres-server.ts'
import { productEnv, startCampaigns, STATUSES, untilClaimed } from './campaigns.ts'
import { startFront } from './front.ts'
import { measure, resultOf } from './outcome.ts'
import { endByTerm, startRelease, untilReady, type Started } from './processes.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SIMULATOR = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url))
const SENDERS = 40
const RECIPIENTS = 400
/** Messages a second of each sender. Together the senders need more than two cores, so that the network answers late. */
const PER_SECOND = 80
/** Response time of the network. */
const LATENCY = { minMs: 300, maxMs: 500 }
const WORKERS = 3
/** Maximum number of unconfirmed messages: the killed worker had a quarter of a second of them in flight. */
const MAX_UNCONFIRMED = 200

export const worker: Scenario = {
	name: 'worker',
	about: 'one of three workers is killed while 40 senders send 80 messages a second each',
	missing: async () => null,
	run,
}

async function run({ log }: DrillOptions): Promise<DrillResult> {
	const dir = await mkdtemp(join(tmpdir(), 'drill-'))
	await chmod(dir, 0o755)
	const [postgres, simulator, front] = await Promise.all([
		startTestPostgres({ durable: true }),
		startNetwork(),
		startFront(),
	])
	const db = connect(postgres.url, { max: 3, name: 'drill' })
	const started: Started[] = []
	const { url } = front
	const env = {
		...productEnv({ simulator, url, dataDir: join(dir, 'data') }),
		...simulator.env,
		DATABASE_URL: postgres.url,
	}
	const start = async (role: string, index = 0) => {
		const process = await startRelease(ROOT, { ...env, ROLE: role }, join(dir, `${role}-${index}.log`))
		started.push(process)
		return process
	}
	try {
		const http = await start('http')
		await http.ready
		front.add(http.port)
		await untilReady(`${url}/readyz`)
		await startCampaigns({ url, simulator, db }, { senders: SENDERS, recipients: RECIPIENTS, perSecond: PER_SECOND })
		await simulator.control.setLatency(LATENCY)
		log('the campaigns wait; starting three workers')
		const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => start('worker', index)))
		await Promise.all(workers.map(({ ready }) => ready))
		await untilClaimed(db, (SENDERS * RECIPIENTS) / 4)
		const [killed, ...others] = workers
		killed?.child.kill('SIGKILL')
		log('a quarter is claimed: killed a worker')
		const { givenUp, ...measured } = await measure({ db, simulator })
		await Promise.all(others.map(endByTerm))
		const logs = await Promise.all(others.map(({ logFile }) => readFile(logFile, 'utf8')))
		const result = resultOf({ ...measured, givenUp })
		return {
			...result,
			others: { 'unconfirmed beyond 200': Math.max(0, givenUp.notReceived - MAX_UNCONFIRMED) },
			notes: [...result.notes, `unconfirmed, and refunded: ${givenUp.notReceived}`, recoveredOf(logs.join(''))],
		}
	} finally {
		await Promise.all(started.map(end))
		await db.end()
		front.close()
		await end(simulator)
		await postgres.stop()
		await rm(dir, { recursive: true, force: true })
	}
}

/** Starts the network in a process of its own, over HTTPS as Meta's. */
async function startNetwork() {
	const [{ keyFile, certFile }, port] = await Promise.all([trustedCertificate(), findFreePort()])
	const url = `https://127.0.0.1:${port}`
	const own = { PORT: String(port), TLS_KEY_FILE: keyFile, TLS_CERT_FILE: certFile }
	const child = startChild([SIMULATOR], { env: { PATH: process.env.PATH, ...own } })
	await untilReady(`${url}/_simulator/phone`)
	const control = connectSimulator(url)
	await control.setStatusPlan(STATUSES)
	return { url, control, child, env: { NODE_EXTRA_CA_CERTS: certFile } }
}

async function end({ child }: Pick<Started, 'child'>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return
	child.kill('SIGKILL')
	await once(child, 'exit')
}

/** Returns the sum of the claims that other workers have logged as recovered. */
function recoveredOf(log: string): string {
	const sum = (name: string) =>
		Array.from(log.matchAll(new RegExp(`"${name}":(\\d{1,6})[,}]`, 'g'))).reduce(
			(all, [, count]) => all + Number(count),
			0,
		)
	return `found in its claims: ${sum('unknown')} that may have been sent, ${sum('unsent')} that were not`
}

import { availableParallelism } from 'node:os'
import { connect, type Db } from '#lib/server/db.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { type Stats, measureIdle, measureShape } from './measure.ts'
import { LATENCY_SPREAD, startScene } from './scene.ts'
import { idealOf, type Options, readOptions, type Shape, unmetGoals } from './shapes.ts'

// Measures the share of Meta's permitted pace that many senders reach, at Meta's latencies and with status updates arriving.
// Simulator, PostgreSQL (durable: an acknowledged commit is on disk) and product run in separate processes. Each shape has
// its own database and simulator. Rates are measured at the simulator when all senders send. TEST_DATABASE_URL measures
// another server; for a Citus coordinator, only its own transactions and cores count, not those of the workers.

const IDLE: Shape = { senders: 1, pace: 80, latencyMs: 5, statuses: false }
const IDLE_SECONDS = 10
/** Seconds of a run besides the measurement: start, warm-up and the last reading. */
const EXTRA_SECONDS = 32
const COMMITS = 100
const COLUMNS: [title: string, width: number][] = [
	['senders', 8],
	['pace', 6],
	['latency', 8],
	['statuses', 9],
	['ideal/s', 8],
	['sent/s', 8],
	['ratio', 6],
	['slowest', 8],
	['tx/message', 11],
	['less idle', 10],
	['tx/s', 7],
	['in flight', 10],
	['statuses/s', 11],
]

let options: Options
try {
	options = readOptions(process.argv.slice(2))
} catch (error) {
	console.error((error as Error).message)
	process.exit(1)
}
const given = process.env.TEST_DATABASE_URL
const server = given ? { url: given, stop: () => Promise.resolve() } : await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const admin = connect(server.url, { max: 1, name: 'bench' })
try {
	await run(admin)
} finally {
	await admin.end()
	await server.stop()
}

async function run(db: Db): Promise<void> {
	const { shapes, role, gatherMs, seconds } = options
	const roles = role === 'split' ? 'one worker process and one web server' : 'one process for sending and the web'
	console.log(`${availableParallelism()} cores; product: ${roles}; a commit takes ${await commitMs(db)} ms`)
	console.log(
		`latency is spread evenly, ±${LATENCY_SPREAD * 100} %; statuses are gathered for ${gatherMs} ms; ${seconds} s measured`,
	)
	const idlePerSecond = await reportIdle(db)
	const cores = [...(role === 'split' ? ['worker', 'http'] : ['all']), 'simulator', 'postgres', 'others']
	console.log(
		row([...COLUMNS, ...cores.map((name): [string, number] => [name, name.length + 2])].map(([title]) => title)),
	)
	let unmetCount = 0
	for (const shape of shapes) {
		const scene = await startScene(shape, { role, gatherMs, campaignSeconds: seconds + EXTRA_SECONDS })
		try {
			const stats = await measureShape(scene, shape, { admin: db, seconds })
			const ownTransactions = (stats.transactionsPerSecond - idlePerSecond) / stats.rate
			const unmet = unmetGoals(shape, { ratio: stats.ratio, ownTransactions })
			unmetCount += unmet.length
			const used = cores.map((name) => (stats.cores[name] ?? 0).toFixed(2))
			console.log([row([...cellsOf(shape, { ...stats, ownTransactions }), ...used]), notes(stats, unmet)].join('  '))
			for (const { role: name, complaints } of scene.processes) {
				for (const [text, times] of complaints) console.log(`    ${name} logged ${times} times: ${text}`)
			}
		} finally {
			await scene.close()
		}
	}
	console.log(unmetCount === 0 ? 'all goals met' : `${unmetCount} goals unmet`)
	process.exitCode = unmetCount === 0 ? 0 : 1
}

/** Prints the transactions a second of all processes while no message is to be sent. Returns their number. */
async function reportIdle(db: Db): Promise<number> {
	const scene = await startScene(IDLE, { role: options.role, gatherMs: options.gatherMs, campaignSeconds: 0 })
	try {
		const { transactionsPerSecond, cores } = await measureIdle(scene, { admin: db, seconds: IDLE_SECONDS })
		const used = Object.entries(cores).map(([name, share]) => `${name} ${share.toFixed(2)}`)
		console.log(`without any campaign: ${transactionsPerSecond.toFixed(1)} transactions/s; cores: ${used.join(', ')}\n`)
		return transactionsPerSecond
	} finally {
		await scene.close()
	}
}

function cellsOf({ senders, pace, latencyMs, statuses }: Shape, stats: Stats & { ownTransactions: number }): string[] {
	return [
		String(senders),
		String(pace),
		`${latencyMs} ms`,
		statuses ? 'on' : 'off',
		idealOf({ senders, pace, latencyMs, statuses }).toFixed(0),
		stats.rate.toFixed(0),
		stats.ratio.toFixed(3),
		stats.slowest.toFixed(2),
		stats.transactionsPerMessage.toFixed(3),
		stats.ownTransactions.toFixed(3),
		stats.transactionsPerSecond.toFixed(0),
		String(stats.maxInFlight),
		stats.statusRate.toFixed(0),
	]
}

function notes({ isDry, startSeconds, statusBacklog }: Stats, unmet: string[]): string {
	const all = unmet.map((goal) => `UNMET: ${goal}`)
	if (isDry) all.push('a campaign ran out of recipients')
	if (startSeconds > 5) all.push(`${startSeconds.toFixed(0)} s until all sent`)
	if (statusBacklog > 5_000) all.push(`${statusBacklog} statuses waiting`)
	return all.join('; ')
}

function row(cells: string[]): string {
	return cells.map((cell, index) => cell.padStart(COLUMNS[index]?.[1] ?? 10)).join('')
}

/** Returns the mean duration of a durable commit in milliseconds, as text, over sequential commits. */
async function commitMs(db: Db): Promise<string> {
	await db`create table if not exists flushes (at timestamptz)`
	const begun = performance.now()
	for (let each = 0; each < COMMITS; each++) await db`insert into flushes values (now())`
	return ((performance.now() - begun) / COMMITS).toFixed(2)
}

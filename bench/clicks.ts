import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readRestoreGenerations } from '#features/delivery/server/message/restore-generations.ts'
import { createLinks } from '#features/templates/server/links.ts'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { findFreePort } from '#test/free-port.ts'
import { startTcpProxy } from '#test/servers/tcp-proxy.ts'
import { median, percentile } from './scenes/campaigns-data.ts'
import { createScene } from './scenes/webhooks-scene.ts'
import { startProductProcess } from './senders/product-process.ts'

/**
 * Measures clicks on the links of a campaign at 2,000 a second, independent of the time of their answers: in normal
 * operation, while the database is down, and until a kill -9 of the web server. Afterwards the report must contain each
 * answered click once. `--quick` takes a third of the time.
 */
const PER_SECOND = 2000
const PHASE_S = process.argv.includes('--quick') ? 3 : 10
const MESSAGES = 100_000
const TICK_MS = 5
const MAX_P99_MS = 50
const COUNTED_MS = 120_000
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'

const SECRET_KEY = Buffer.alloc(32, 7)
const database = await createTestDatabase()
const db = database.sql
const dataDir = await mkdtemp(join(tmpdir(), 'bench-clicks-'))
const proxy = await startTcpProxy({ port: Number(new URL(database.url).port || 5432) })
const port = await findFreePort()
const variables = {
	DATABASE_URL: proxy.url(database.url),
	LISTEN_URL: proxy.url(database.directUrl),
	SECRET_KEY: SECRET_KEY.toString('base64'),
	GRAPH_URL: 'http://127.0.0.1:9',
	DATA_DIR: dataDir,
	HOST: '127.0.0.1',
	PORT: String(port),
}
const scene = await createScene(db, { messages: MESSAGES, secret: 'bench', secretKey: variables.SECRET_KEY })
const restoreGenerations = await readRestoreGenerations(db)
const settings = { SECRET_KEY, SECRET_KEYS_OLD: [], PUBLIC_URL: `http://127.0.0.1:${port}` }
const links = createLinks(settings, (message) => restoreGenerations.marksOf(callbackData(message)))
const { url, url_example } = links.example(scene.accountId)
const target = 'https://shop.example/sale'
const button = { type: 'URL', text: 'Shop', url, example: [url_example], counted_target: target }
const components = [{ type: 'BUTTONS', buttons: [button] }]
await db`
	update campaigns set template = template || ${JSON.stringify({ components })}::jsonb
	where account_id = ${scene.accountId} and id = ${scene.campaignId}
`
let sent = 0
const totals = { answered: 0 }
const pathOf = (seq: number) =>
	`/l/${links.tokenOf({ account: scene.accountId, campaignId: scene.campaignId, seq, button: 0 })}`

let product = await startProductProcess('http', variables)
await load(1)
let isRight = report('with the database', await load(PHASE_S))
proxy.refuse(true)
isRight = report('without a database', await load(PHASE_S)) && isRight
const dying = load(PHASE_S)
await sleep((PHASE_S * 1000) / 2)
process.kill(product.pid, 'SIGKILL')
report('until kill -9', await dying)
proxy.refuse(false)
product = await startProductProcess('http', variables)
const answered = totals.answered
const began = performance.now()
let counts = await readCounts()
while (counts.rows < answered && performance.now() - began < COUNTED_MS) {
	await sleep(250)
	counts = await readCounts()
}
// The counter includes clicks that were stored and whose answer was lost with the server.
const isComplete = counts.rows >= answered && counts.rows <= sent && counts.counter === counts.rows
isRight &&= isComplete
const verdict = isComplete ? 'each once' : JSON.stringify(counts)
console.log(`in the report      ${formatCount(counts.rows)} of ${formatCount(answered)} answered, ${verdict}`)
await product.stop()
await proxy.close()
await database.drop()
await rm(dataDir, { recursive: true, force: true })
process.exitCode = isRight ? 0 : 1

/** Sends clicks at the rate for this many seconds. */
async function load(seconds: number) {
	const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 128 })
	const times: number[] = []
	let failed = 0
	const click = async (dueMs: number) => {
		const path = pathOf((sent++ % MESSAGES) + 1)
		try {
			const answer = await pool.request({ method: 'GET', path, headers: { 'user-agent': BROWSER } })
			await answer.body.dump()
			if (answer.statusCode !== 302) throw new Error(`answered ${answer.statusCode}`)
			totals.answered++
			times.push(performance.now() - dueMs)
		} catch {
			failed++
		}
	}
	const startMs = performance.now()
	const open: Promise<void>[] = []
	const wanted = seconds * PER_SECOND
	while (open.length < wanted) {
		const due = Math.min(wanted, ((performance.now() - startMs) * PER_SECOND) / 1000)
		while (open.length < due) open.push(click(startMs + (open.length * 1000) / PER_SECOND))
		await sleep(TICK_MS)
	}
	await Promise.all(open)
	const ms = performance.now() - startMs
	await pool.destroy()
	return { perSecond: (times.length / ms) * 1000, failed, p50: median(times), p99: percentile(times, 0.99) }
}

function report(phase: string, { perSecond, failed, p50, p99 }: Awaited<ReturnType<typeof load>>): boolean {
	const figures = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${formatCount(failed)} failed`
	console.log(`${phase.padEnd(19)}${formatCount(Math.round(perSecond))} redirects/s, ${figures}`)
	return failed === 0 && p99 <= MAX_P99_MS && perSecond >= PER_SECOND * 0.98
}

async function readCounts(): Promise<{ rows: number; counter: number }> {
	const [row] = await db<{ rows: number; counter: number }[]>`
		select (select count(*) from campaign_clicks where account_id = ${scene.accountId}) as rows, click_count as counter
		from campaigns where account_id = ${scene.accountId} and id = ${scene.campaignId}
	`
	return row ?? { rows: 0, counter: 0 }
}

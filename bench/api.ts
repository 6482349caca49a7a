import { createHmac, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { formatCount } from '#lib/numbers.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { apiKey } from '#test/factories.ts'
import { findFreePort } from '#test/free-port.ts'
import { moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { startBareRoute } from './programs/bare-route.ts'
import {
	cpuSeconds,
	cpuSecondsOfFamily,
	cpuSecondsOfMachine,
	parentOf,
	startSimulatorProcess,
} from './programs/processes.ts'
import { median, p95, percentile } from './scenes/campaigns-data.ts'
import { startProductProcess } from './senders/product-process.ts'

/**
 * Measures orders of one message each, at a fixed rate from 50 connections, while a campaign of the same account is
 * sent at the rest of its pace: the time to the 202, compared with the same bodies at the same rate on a bare signed
 * route, and the time from each request to the send of its message. The first seconds after the start are printed
 * separately. PostgreSQL is durable. `--quick` takes 5 seconds; BENCH_ORDERS sets another rate.
 */
const SECONDS = process.argv.includes('--quick') ? 5 : 30
const PER_SECOND = Number(process.env.BENCH_ORDERS ?? 500)
const CONNECTIONS = 50
/** Messages a second at Meta's level HIGH; orders take half of it. */
const PACE = 1000
const WARM_UP_SECONDS = 3
/** Delay of status updates, longer than a run: the benchmark of webhooks measures them. */
const NEVER_MS = HOUR_MS
const MAX_P99_MS = 100
const MAX_SENT_P95_MS = 1000

const server = await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const [simulator, database, port] = await Promise.all([startSimulatorProcess(), createTestDatabase(), findFreePort()])
const variables = {
	DATA_DIR: join(tmpdir(), 'bench-data'),
	DATABASE_URL: database.url,
	LISTEN_URL: database.directUrl,
	SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
	GRAPH_URL: simulator.url,
}
// This process only prepares data; the measured process has a core of its own where there are several.
const prepared = await startProcess(readEnv({ ...variables, PORT: '0', ROLE: 'http' }), createLog('silent'), {
	kind: 'production',
	hasPages: false,
})
const control = connectSimulator(simulator.url)
const recipients = (WARM_UP_SECONDS + SECONDS + 5) * PACE
const account = await sendingAccount(
	{ process: prepared, simulator: { control } },
	{
		contacts: recipients,
		perSecond: PACE,
		balancePaise: 100 * (recipients + 2 * PER_SECOND * (SECONDS + WARM_UP_SECONDS)),
	},
)
await control.setStatusPlan({ sentMs: NEVER_MS, deliveredMs: NEVER_MS, readMs: NEVER_MS })
const { token } = await apiKey(database.sql, account)
const secret = randomBytes(16).toString('hex')
const bare = await startBareRoute(secret)
const product = await startProductProcess('all', { ...variables, HOST: '127.0.0.1', PORT: String(port) })
let number = 919_700_000_000

const ceiling = await place(
	bare.url,
	(body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
	SECONDS,
)
const campaignId = await startCampaign({ process: prepared }, account)
const orderFor = (forSeconds: number) =>
	place(`http://127.0.0.1:${port}/v1/messages`, () => ({ authorization: `Bearer ${token}` }), forSeconds)
// Right after its start the process has compiled no code and opened no connection.
const cold = await orderFor(WARM_UP_SECONDS)
const postmaster = parentOf(await backendPid())
const [sentBefore, cpuBefore, began] = [await countSent(), cpuNow(), performance.now()]
const measured = await orderFor(SECONDS)
const seconds = (performance.now() - began) / 1000
const campaignRate = ((await countSent()) - sentBefore) / seconds
const cores = Object.entries(cpuNow()).map(
	([name, used]) => `${name} ${((used - (cpuBefore[name] ?? 0)) / seconds).toFixed(2)}`,
)
const placed = [...cold.orders, ...measured.orders]
const delays = await sendDelays(placed)
const findings = await moneyFindings(database.sql)
const { p50, p99 } = measured
const sentP95 = p95(delays)
console.log(
	`${formatCount(measured.orders.length)} orders at ${PER_SECOND}/s from ${CONNECTIONS} connections, ${SECONDS} s`,
)
console.log(`  bare signed route  p50 ${ceiling.p50.toFixed(1)} ms, p99 ${ceiling.p99.toFixed(1)} ms`)
console.log(`  202                p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (wanted: under ${MAX_P99_MS})`)
console.log(`  right after start  p50 ${cold.p50.toFixed(1)} ms, p99 ${cold.p99.toFixed(1)} ms in ${WARM_UP_SECONDS} s`)
console.log(`  ratio of p99       ${(p99 / ceiling.p99).toFixed(1)}`)
console.log(
	`  sent after         p50 ${median(delays).toFixed(0)} ms, p95 ${sentP95.toFixed(0)} ms (wanted: under ${MAX_SENT_P95_MS})`,
)
console.log(`  campaign           ${campaignRate.toFixed(0)} messages/s beside ${PER_SECOND} orders/s, pace ${PACE}/s`)
console.log(`  cores              ${cores.join(', ')}`)
console.log(`  refused            ${measured.refused}; reconciliation findings ${findings.length}`)
for (const [text, times] of product.complaints) console.log(`    logged ${times} times: ${text}`)
const isRight = measured.refused === 0 && findings.length === 0 && delays.length === placed.length
process.exitCode = isRight && p99 < MAX_P99_MS && sentP95 < MAX_SENT_P95_MS ? 0 : 1
await product.stop()
await bare.stop()
await prepared.stop()
await simulator.stop()
await database.drop()
await server.stop()

function cpuNow(): Record<string, number> {
	return {
		product: cpuSeconds(product.pid),
		postgres: cpuSecondsOfFamily(postmaster),
		simulator: cpuSeconds(simulator.pid),
		client: cpuSeconds(process.pid),
		machine: cpuSecondsOfMachine(),
	}
}

async function backendPid(): Promise<number> {
	const [row] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
	return row?.pid ?? 0
}

interface Order {
	id: string
	/** Milliseconds since 1970. */
	askedAt: number
}

/**
 * Posts orders at the rate, independent of the time of their answers. The time of an order begins when it is due, even while no
 * connection is free.
 */
async function place(url: string, headersOf: (body: string) => Record<string, string>, forSeconds: number) {
	const { origin, pathname: path } = new URL(url)
	const pool = new Pool(origin, { connections: CONNECTIONS })
	const orders: Order[] = []
	const times: number[] = []
	let refused = 0
	const send = async () => {
		const to = String(number++)
		const body = JSON.stringify({ to, template: { name: 'hello' }, values: { var1: 'Asha' } })
		const headers = { ...headersOf(body), 'content-type': 'application/json', 'idempotency-key': `order-${to}` }
		const [sentAt, askedAt] = [performance.now(), Date.now()]
		const answer = await pool.request({ method: 'POST', path, headers, body })
		const text = await answer.body.text()
		times.push(performance.now() - sentAt)
		if (answer.statusCode >= 300) refused++
		else if (answer.statusCode === 202) orders.push({ id: (JSON.parse(text) as Order).id, askedAt })
	}
	const sending: Promise<void>[] = []
	const firstAt = performance.now()
	for (let due = 0; due < PER_SECOND * forSeconds; await sleep(2))
		for (; due < Math.min(((performance.now() - firstAt) / 1000) * PER_SECOND, PER_SECOND * forSeconds); due++)
			sending.push(send())
	await Promise.all(sending)
	await pool.close()
	return { orders, refused, p50: median(times), p99: percentile(times, 0.99) }
}

/** Returns the milliseconds from the request to the acceptance of each message. */
async function sendDelays(orders: readonly Order[]): Promise<number[]> {
	const asked = new Map(orders.map(({ id, askedAt }) => [id, askedAt]))
	const deadline = performance.now() + 60_000
	for (;;) {
		const rows = await database.sql<{ id: string; at: Date }[]>`
			select m.campaign_id || '-' || m.seq as id, m.sent_at as at from campaign_messages m
			where m.account_id = ${account.accountId} and m.campaign_id <> ${campaignId} and m.sent_at is not null
		`
		if (rows.length === orders.length || performance.now() > deadline)
			return rows.map(({ id, at: acceptedAt }) => acceptedAt.getTime() - (asked.get(id) ?? 0))
		await sleep(200)
	}
}

async function countSent(): Promise<number> {
	const [row] = await database.sql<{ sent: number }[]>`
		select sent_count as sent from campaigns where account_id = ${account.accountId} and id = ${campaignId}
	`
	return row?.sent ?? 0
}

import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { createRenderer } from '#features/delivery/server/message/render.ts'
import { UNMARKED } from '#features/delivery/server/message/restore-generations.ts'
import { formatCount } from '#lib/numbers.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { cpuSeconds, cpuSecondsOfFamily, parentOf, startSimulatorProcess } from './programs/processes.ts'
import { median } from './scenes/campaigns-data.ts'

/**
 * Measures the rate at which a campaign is sent, from the first accepted message to the last recorded one, compared
 * with a bare loop that posts the same bodies to the same simulator, which runs in a process of its own. The bare loop
 * and the simulator fill two cores; a campaign needs PostgreSQL in addition. Therefore the processor time of one
 * message is printed too: it bounds the ratio where cores are scarce.
 */
const RECIPIENTS = 80_000
const CONNECTIONS = 256
const ROUNDS = 3
/** Interval of polls; long, because each poll takes processor time from the measurement. */
const POLL_INTERVAL_MS = 250
/** Delay of status webhooks, longer than a round, so that none arrives during the measurement. */
const STATUS_DELAY_MS = 600_000

const simulator = await startSimulatorProcess()
const database = await createTestDatabase()
const env = readEnv({
	PORT: '0',
	DATA_DIR: join(tmpdir(), 'bench-data'),
	DATABASE_URL: database.url,
	SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
	GRAPH_URL: simulator.url,
	LOG_LEVEL: 'silent',
})
const product = await startProcess(env, createLog('silent'), { kind: 'production' })
env.PUBLIC_URL = product.url
const parts = { process: product, simulator: { control: connectSimulator(simulator.url) }, db: database.sql }
const sender = await sendingAccount(parts, { contacts: RECIPIENTS, perSecond: 1_000_000 })
const plan = { sentMs: STATUS_DELAY_MS, deliveredMs: STATUS_DELAY_MS, readMs: STATUS_DELAY_MS }
await parts.simulator.control.setStatusPlan(plan)

const [backend] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
const postgres = parentOf(backend?.pid ?? 0)
const ceilings: number[] = []
const engines: number[] = []
const drifts: number[] = []
const bareCosts: number[] = []
const costs: number[] = []
for (let round = 0; round < ROUNDS; round++) {
	const bodies = renderBodies()
	const before = processorSeconds()
	ceilings.push(await bareLoop(bodies))
	bareCosts.push(processorSeconds() - before)
	await database.sql`vacuum analyze`
	const prepared = processorSeconds()
	const { rate, drift } = await oneCampaign()
	costs.push(processorSeconds() - prepared)
	engines.push(rate)
	drifts.push(drift)
}
const ratios = engines.map((rate, index) => rate / (ceilings[index] ?? 1))
console.log(`bare undici loop   ${show(ceilings)} messages/s`)
console.log(`campaign           ${show(engines)} messages/s`)
console.log(
	`ratio              ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}   median ${median(ratios).toFixed(2)} (wanted: at least 0.80)`,
)
console.log(
	`last tenth / first ${drifts.map((drift) => drift.toFixed(2)).join(' ')}   median ${median(drifts).toFixed(2)} (wanted: at least 0.90)`,
)
console.log(`processor time     ${micros(bareCosts)} µs a message in the bare loop, ${micros(costs)} in a campaign`)
console.log(`                   with its creation and PostgreSQL, on ${availableParallelism()} cores`)

await product.stop()
await database.drop()
await simulator.stop()

/** Returns the processor time used so far by the product, which is this process, the simulator and PostgreSQL. */
function processorSeconds(): number {
	return cpuSeconds(process.pid) + cpuSeconds(simulator.pid) + cpuSecondsOfFamily(postgres)
}

function renderBodies(): string[] {
	const render = createRenderer({
		restoreGenerations: UNMARKED,
		account: 1,
		links: { tokenOf: () => '' },
		campaignId: 1,
		template: { name: 'hello', language: 'en_US', components: [{ type: 'BODY', text: 'Hello {{1}}, welcome!' }] },
		variables: { var1: '{{firstName}}' },
		mergeTags: ['firstName'],
		mediaId: null,
		headerFilename: null,
	})
	return Array.from({ length: RECIPIENTS }, (_, index) =>
		render({ seq: index + 1, number: `91559${String(index).padStart(7, '0')}`, mergeValues: [`Contact ${index}`] }),
	)
}

/**
 * Posts the same messages, rendered beforehand, as fast as the same number of connections allows. Returns the messages a
 * second.
 */
async function bareLoop(bodies: readonly string[]): Promise<number> {
	const pool = new Pool(simulator.url, { connections: CONNECTIONS, pipelining: 1, allowH2: false })
	const path = `/v25.0/${sender.credentials.phone_number_id}/messages`
	const headers = { authorization: `Bearer ${sender.credentials.access_token}`, 'content-type': 'application/json' }
	let next = 0
	const sendBodies = async () => {
		while (next < RECIPIENTS) {
			const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: bodies[next++] ?? '' })
			await body.json()
			if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
		}
	}
	const began = performance.now()
	await Promise.all(Array.from({ length: CONNECTIONS }, sendBodies))
	const seconds = (performance.now() - began) / 1000
	await pool.close()
	return RECIPIENTS / seconds
}

/** Sends a campaign. `drift` is the rate of its last tenth divided by that of its first. */
async function oneCampaign(): Promise<{ rate: number; drift: number }> {
	await database.sql`update wallets set available_paise = available_paise + ${RECIPIENTS * 100} where account_id = ${sender.accountId}`
	const campaignId = await startCampaign(parts, sender)
	while (!(await isCompleted(campaignId))) await sleep(POLL_INTERVAL_MS)
	const [row] = await database.sql<{ seconds: number; first: number; last: number }[]>`
		with times as (
			select status_at as at, ntile(10) over (order by status_at) as tenth
			from campaign_messages where account_id = ${sender.accountId} and campaign_id = ${campaignId}
		)
		select extract(epoch from max(at) - min(at))::float8 as seconds,
			extract(epoch from max(at) filter (where tenth = 1) - min(at) filter (where tenth = 1))::float8 as first,
			extract(epoch from max(at) filter (where tenth = 10) - min(at) filter (where tenth = 10))::float8 as last
		from times
	`
	if (!row) throw new Error('the campaign left no messages')
	return { rate: RECIPIENTS / row.seconds, drift: row.first / row.last }
}

async function isCompleted(campaignId: number): Promise<boolean> {
	const [row] = await database.sql<{ status: string }[]>`
		select status from campaigns where account_id = ${sender.accountId} and id = ${campaignId}
	`
	return row?.status === 'completed'
}

function micros(seconds: number[]): string {
	return ((median(seconds) / RECIPIENTS) * 1e6).toFixed(0)
}

function show(values: number[]): string {
	return values.map((value) => formatCount(Math.round(value))).join(' ')
}

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { formatCount } from '#lib/numbers.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { startSimulatorProcess } from '../programs/processes.ts'
import { startProductProcess } from '../senders/product-process.ts'
import { openPeerQueue } from './queue.ts'

/**
 * Compares the product with the usual design: a BullMQ job for each message that updates its row and a counter. Measures
 * the rate at which each sends the same campaign to the same simulator with one sending process, and the damage when its
 * processes, Redis included, are killed in the middle: recipients who got two messages, none, or a message that the
 * database has not recorded. PostgreSQL is durable, as where real messages are sent: an acknowledged commit is on disk.
 * Redis has the settings of its manual.
 */
const RECIPIENTS = Number(process.env.BENCH_ROWS ?? 20_000)
const KILL_SHARE = 0.4
/** Seconds for which the product waits for a status before it gives up an unconfirmed message. */
const UNKNOWN_AFTER_SECONDS = 5
const DRAIN_TIMEOUT_MS = 180_000
/** Delay of status updates, longer than a run: they would only add the same work to both. */
const NEVER_MS = HOUR_MS

const server = await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const simulator = await startSimulatorProcess()
const control = connectSimulator(simulator.url)
const database = await createTestDatabase()
const db = database.sql
const variables = {
	PORT: '0',
	DATA_DIR: join(tmpdir(), 'bench-data'),
	DATABASE_URL: database.url,
	LISTEN_URL: database.directUrl,
	SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
	GRAPH_URL: simulator.url,
	UNKNOWN_AFTER: String(UNKNOWN_AFTER_SECONDS),
}
const env = readEnv({ ...variables, ROLE: 'http', LOG_LEVEL: 'silent' })
const product = await startProcess(env, createLog('silent'), { kind: 'production' })
env.PUBLIC_URL = product.url
const parts = { process: product, simulator: { control }, db }
const sender = await sendingAccount(parts, {
	contacts: RECIPIENTS,
	perSecond: 1_000_000,
	balancePaise: RECIPIENTS * 1000,
})
const accountId = sender.accountId
await control.setStatusPlan({ sentMs: NEVER_MS, deliveredMs: NEVER_MS, readMs: NEVER_MS })
const people = await db<{ id: number; number: string; name: string }[]>`
	select row_number() over (order by id)::int as id, number, first_name as name from contacts where account_id = ${accountId}
`
const queue = await openPeerQueue({
	db,
	databaseUrl: database.url,
	graphUrl: simulator.url,
	phoneNumberId: sender.credentials.phone_number_id,
	accessToken: sender.credentials.access_token,
})
await db.unsafe(
	`create table peer_messages (id integer primary key, number text not null, status text not null default 'pending', wamid text, sent_at timestamptz)`,
)
await db.unsafe('create table peer_campaigns (id integer primary key, sent integer not null)')
/** Numbers of messages that recipients had received before a run, to be subtracted. */
let receivedBefore: Record<string, number> = {}

progress('starting the product')
let worker = await startProductProcess('worker', variables)
// The worker is stopped after an error too.
process.once('exit', () => void worker.stop())
progress('measuring the product')
const ours = await measureOurs()
progress('killing the product')
const oursLeft = await killOurs()
progress('stopping the product')
await worker.stop()
progress('measuring the queue')
const theirs = await measureTheirs()
progress('killing the queue')
const theirsLeft = await killTheirs()

const ratio = ours / theirs
console.log(`${formatCount(RECIPIENTS)} messages, from the first to the last one recorded as sent`)
console.log(`  BullMQ and Redis   ${formatCount(Math.round(theirs))} messages/s`)
console.log(`  the product        ${formatCount(Math.round(ours))} messages/s`)
console.log(`  ratio              ${ratio.toFixed(1)} (wanted: at least 5)`)
console.log(`after kill -9 of all sending processes at ${KILL_SHARE * 100} %, and a restart`)
console.log(`  BullMQ and Redis   ${describe(theirsLeft)}; counter ${theirsLeft.counted}`)
console.log(`  the product        ${describe(oursLeft)}; counter ${oursLeft.counted}`)

await queue.close()
await product.stop()
await database.drop()
await simulator.stop()
await server.stop()

interface LeftBehind {
	duplicates: number
	/** Number of recipients without the message although the database shows it neither as failed nor as waiting. */
	lost: number
	/** Number of recipients with the message although the database shows it as not sent. */
	forgotten: number
	/** Number of messages that failed because their delivery is unknown. */
	unconfirmed: number
	counted: number
}

function describe({ duplicates, lost, forgotten, unconfirmed }: LeftBehind): string {
	return `${duplicates} got it twice, ${lost} lost, ${forgotten} sent and not recorded, ${unconfirmed} given up as unconfirmed`
}

async function measureOurs(): Promise<number> {
	await clearCounts()
	const campaignId = await startCampaign(parts, sender)
	await untilSettled(campaignId)
	const [row] = await db<{ seconds: number }[]>`
		select extract(epoch from max(status_at) - min(status_at))::float8 as seconds from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	return RECIPIENTS / (row?.seconds ?? Infinity)
}

async function killOurs(): Promise<LeftBehind> {
	await clearCounts()
	// Status webhooks resolve the messages that were in flight.
	await control.setStatusPlan({ sentMs: 300, deliveredMs: 600, readMs: 900, failRate: 0 })
	const campaignId = await startCampaign(parts, sender)
	await untilReceived(RECIPIENTS * KILL_SHARE)
	process.kill(worker.pid, 'SIGKILL')
	worker = await startProductProcess('worker', variables)
	await untilSettled(campaignId)
	const rows = await db<{ number: string; isSent: boolean; isFailed: boolean }[]>`
		select number, status in ('sent', 'delivered', 'read') as "isSent", status = 'failed' as "isFailed"
		from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	const [campaign] = await db<{ sent: number }[]>`
		select sent_count + delivered_count + read_count as sent from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return compare(rows, campaign?.sent ?? 0)
}

async function measureTheirs(): Promise<number> {
	await control.setStatusPlan({ sentMs: NEVER_MS, deliveredMs: NEVER_MS, readMs: NEVER_MS })
	await clearCounts()
	await fillPeerTables()
	await queue.start()
	await queue.add(people)
	await untilDrained()
	const [row] = await db<{ seconds: number }[]>`
		select extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds from peer_messages
	`
	return RECIPIENTS / (row?.seconds ?? Infinity)
}

async function killTheirs(): Promise<LeftBehind> {
	await clearCounts()
	await fillPeerTables()
	const adding = queue.add(people)
	await untilReceived(RECIPIENTS * KILL_SHARE)
	await adding
	await queue.kill()
	await queue.start()
	await untilDrained()
	const rows = await db<{ number: string; isSent: boolean; isFailed: boolean }[]>`
		select number, status = 'sent' as "isSent", false as "isFailed" from peer_messages
	`
	const [campaign] = await db<{ sent: number }[]>`select sent from peer_campaigns`
	return compare(rows, campaign?.sent ?? 0)
}

async function fillPeerTables(): Promise<void> {
	await db`truncate peer_messages, peer_campaigns`
	await db`insert into peer_campaigns values (1, 0)`
	await db`
		insert into peer_messages (id, number)
		select * from unnest(${people.map(({ id }) => id)}::int[], ${people.map(({ number }) => number)}::text[])
	`
}

async function clearCounts(): Promise<void> {
	await db`vacuum analyze`
	receivedBefore = await control.receivedCounts()
}

async function untilReceived(count: number): Promise<void> {
	const { accepted } = await control.counters()
	while ((await control.counters()).accepted < accepted + count) await sleep(20)
}

async function untilSettled(campaignId: number): Promise<void> {
	const deadline = performance.now() + DRAIN_TIMEOUT_MS
	for (;;) {
		const [row] = await db<{ pending: number }[]>`
			select pending_count as pending from campaigns where account_id = ${accountId} and id = ${campaignId}
		`
		if (row?.pending === 0) return
		if (performance.now() > deadline) throw new Error(`${row?.pending} messages are still pending`)
		await sleep(100)
	}
}

/** Waits until the queue is empty. BullMQ notices jobs of a lost worker after half a minute. */
async function untilDrained(): Promise<void> {
	const deadline = performance.now() + DRAIN_TIMEOUT_MS
	while ((await queue.left()) > 0) {
		if (performance.now() > deadline) return
		await sleep(250)
	}
}

async function compare(
	rows: readonly { number: string; isSent: boolean; isFailed: boolean }[],
	counted: number,
): Promise<LeftBehind> {
	const received = await control.receivedCounts()
	const left: LeftBehind = { duplicates: 0, lost: 0, forgotten: 0, unconfirmed: 0, counted }
	for (const { number, isSent, isFailed } of rows) {
		const got = (received[number] ?? 0) - (receivedBefore[number] ?? 0)
		if (got > 1) left.duplicates++
		if (isFailed) left.unconfirmed++
		else if (got > 0 && !isSent) left.forgotten++
		else if (got === 0) left.lost++
	}
	return left
}

function progress(what: string): void {
	console.error(`${(performance.now() / 1000).toFixed(0)} s: ${what}`)
}

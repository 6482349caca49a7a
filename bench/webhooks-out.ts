import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { newSecret } from '#features/developer/server/webhooks/secrets.ts'
import { transaction } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { startProductChild } from '#test/child-process.ts'
import { findFreePort } from '#test/free-port.ts'
import { startProduct } from '#test/full-stack.ts'
import { accept, refuse } from '#test/scenes/webhook-scene.ts'
import { startReceiver, type WebhookReceiver } from '#test/servers/webhook-receiver.ts'
import { median, p95, percentile } from './scenes/campaigns-data.ts'
import { createScene } from './scenes/webhooks-scene.ts'

/**
 * Measures the time until statuses settled at 5,000 a second arrive at a receiver, while another receiver of the same
 * account never answers; and the delivery of the missed events to a receiver that was down. The product runs in a
 * process of its own.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string' }, down: { type: 'string' } } })
const SECONDS = Number(values.seconds ?? 30)
const DOWN_SECONDS = Number(values.down ?? 600)
const PER_SECOND = 5000
const BATCH = 500
const STATUSES = ['sent', 'delivered', 'read'] as const

const port = await findFreePort()
const product = await startProduct({ env: { ROLE: 'http', ALLOW_PRIVATE_TARGETS: '1' } })
const child = await startProductChild({
	...product.env,
	ROLE: 'worker',
	PORT: String(port),
	PUBLIC_URL: `http://127.0.0.1:${port}`,
})
const { db } = product
const { SECRET_KEY: secretKey = '' } = product.env
const batches = Math.ceil((PER_SECOND * (SECONDS + DOWN_SECONDS)) / BATCH)
const messages = Math.ceil(batches / STATUSES.length) * BATCH
const { accountId, campaignId } = await createScene(db, { messages, secret: 'secret', secretKey })
const [good, hanging] = [await startReceiver(), await startReceiver()]
hanging.answer = () => {}
for (const { url } of [good, hanging]) await subscribe(url)

let next = 0
const first = await run(SECONDS, good)
const { received } = good
console.log(
	`${first.perSecond} events/s settled for ${SECONDS} s, ${hanging.received.length} requests to the hanging receiver`,
)
console.log(`  status to arrival: p50 ${first.p50} ms, p95 ${first.p95} ms, latest ${first.latest} ms`)
console.log(`  ${received.length} deliveries, ${Math.round(first.arrived / received.length)} events each`)

good.answer = refuse
const before = good.accepted().length
const down = await run(DOWN_SECONDS, null)
const upAtMs = performance.now()
const begun = received.length
good.answer = accept
const total = before + down.events
let firstAtMs = 0
while (good.accepted().length < total && performance.now() - upAtMs < 1_800_000) {
	if (firstAtMs === 0 && good.accepted().length > before) firstAtMs = performance.now()
	await sleep(50)
}
const missed = good.accepted().length - before
const full = received.slice(begun).filter(({ events }) => events.length === BATCH).length
console.log(`down for ${DOWN_SECONDS} s at ${down.perSecond} events/s: ${missed} of ${down.events} events afterwards`)
console.log(
	`  the first after ${seconds(firstAtMs - upAtMs)} s, the last ${seconds(performance.now() - firstAtMs)} s later`,
)
console.log(`  ${received.length - begun} deliveries, ${full} of them full`)

for (const receiver of [good, hanging]) receiver.close()
child.kill('SIGKILL')
await product.close()
process.exit(missed === down.events && first.p95 < 2000 ? 0 : 1)

async function subscribe(url: string): Promise<void> {
	const { encrypted } = newSecret(createVault(Buffer.from(secretKey, 'base64')), accountId)
	const events = STATUSES.map((status) => `message.${status}`)
	await db`
		insert into webhook_addresses (account_id, url, events, secret) values (${accountId}, ${url}, ${events}::text[], ${encrypted})
	`
}

/** Settles statuses at the pace. With a receiver, waits for the arrival of their events. */
async function run(forSeconds: number, receiver: WebhookReceiver | null) {
	const latenciesMs: number[] = []
	const stop = receiver ? noteArrivals(receiver, latenciesMs) : () => {}
	const startedAtMs = performance.now()
	const count = Math.floor((forSeconds * PER_SECOND) / BATCH)
	for (let batch = 0; batch < count; batch++) {
		await settleBatch()
		await sleep(Math.max(0, startedAtMs + ((batch + 1) * BATCH * 1000) / PER_SECOND - performance.now()))
	}
	const perSecond = Math.round((count * BATCH) / ((performance.now() - startedAtMs) / 1000))
	const events = count * BATCH
	const most = receiver ? 300 : 0
	for (let waits = 0; latenciesMs.length < events && waits < most; waits++) await sleep(100)
	stop()
	const times = { p50: median(latenciesMs), p95: p95(latenciesMs), latest: percentile(latenciesMs, 1) }
	return { events, perSecond, arrived: latenciesMs.length, ...times }
}

function noteArrivals(receiver: WebhookReceiver, latenciesMs: number[]): () => void {
	let seen = receiver.accepted().length
	const timer = setInterval(() => {
		const now = Date.now()
		for (const { at } of receiver.accepted().slice(seen)) latenciesMs.push(now - Date.parse(at))
		seen = receiver.accepted().length
	}, 10)
	return () => clearInterval(timer)
}

/** Settles the next status of the next messages. */
async function settleBatch(): Promise<void> {
	const status = STATUSES[Math.floor((next * BATCH) / messages)] ?? 'read'
	const from = (next * BATCH) % messages
	next++
	const at = new Date()
	const updates = Array.from({ length: BATCH }, (_, index) => ({
		campaignId,
		seq: from + index + 1,
		status,
		at,
		wamid: null,
		errorCode: null,
		error: null,
	}))
	const { notify } = product.process.context
	await transaction(db, (sql) => settle(sql, accountId, { updates, notify }), { isByKey: true })
}

function seconds(ms: number): string {
	return (ms / 1000).toFixed(1)
}

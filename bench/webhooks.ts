import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { findFreePort } from '#test/free-port.ts'
import { startBareRoute } from './programs/bare-route.ts'
import { median, percentile } from './scenes/campaigns-data.ts'
import { createScene, readCounts, type Scene } from './scenes/webhooks-scene.ts'
import { startProductProcess } from './senders/product-process.ts'

/**
 * Measures status webhooks through the whole product, until the campaign's counters show the last one, compared with a
 * bare route that checks the signature and parses. Each webhook contains 1, 100 or 1,000 statuses. `--quick` sends a tenth of
 * the messages.
 */
const SHARE = process.argv.includes('--quick') ? 0.1 : 1
const LOADS = [
	{ size: 1, messages: 16_000, connections: 64 },
	{ size: 100, messages: 100_000, connections: 8 },
	{ size: 1000, messages: 100_000, connections: 4 },
].map((load) => ({ ...load, messages: Math.ceil(load.messages * SHARE) }))
const STATUSES = ['sent', 'delivered', 'read']
/** Pricing of the sent and the delivered status. */
const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }
const SECRET = randomBytes(16).toString('hex')
const TIMEOUT_MS = 300_000

const database = await createTestDatabase()
const secretKey = Buffer.alloc(32, 7).toString('base64')
const port = await findFreePort()
const bare = await startBareRoute(SECRET)
const product = await startProductProcess('all', {
	DATABASE_URL: database.url,
	LISTEN_URL: database.directUrl,
	SECRET_KEY: secretKey,
	GRAPH_URL: 'http://127.0.0.1:9',
	HOST: '127.0.0.1',
	PORT: String(port),
})
let isRight = true
for (const load of LOADS) await run(load)
await product.stop()
await bare.stop()
await database.drop()
process.exitCode = isRight ? 0 : 1

async function run({ size, messages, connections }: (typeof LOADS)[number]): Promise<void> {
	const scene = await createScene(database.sql, { messages, secret: SECRET, secretKey })
	const bodies = deliveriesOf(scene, { messages, size })
	const statuses = messages * STATUSES.length
	const parsed = await post(bare.url, bodies, connections)
	const began = performance.now()
	const answered = await post(`http://127.0.0.1:${port}${scene.path}`, bodies, connections)
	const deadline = began + TIMEOUT_MS
	let counts = await readCounts(database.sql, scene)
	while (counts.read < messages && performance.now() < deadline) {
		await sleep(20)
		counts = await readCounts(database.sql, scene)
	}
	const applied = (statuses / (performance.now() - began)) * 1000
	const ceiling = (statuses / parsed.ms) * 1000
	const isComplete = counts.read === messages && counts.pending === 0 && counts.mismatches === 0
	isRight &&= isComplete && answered.failures === 0
	console.log(`webhooks of ${size} statuses, ${connections} connections, ${formatCount(statuses)} statuses`)
	console.log(`  bare route       ${rate(ceiling)} statuses/s, p99 ${parsed.p99.toFixed(1)} ms`)
	console.log(`  taken            ${rate((statuses / answered.ms) * 1000)} statuses/s`)
	console.log(`  fully applied    ${rate(applied)} statuses/s, ratio ${(applied / ceiling).toFixed(3)}`)
	console.log(`  answers          p50 ${answered.p50.toFixed(1)} ms, p99 ${answered.p99.toFixed(1)} ms`)
	console.log(
		`  counters         ${isComplete ? 'right to the last one' : JSON.stringify(counts)}, ${answered.failures} refused`,
	)
}

/** Returns signed webhooks with the statuses of all messages: first all `sent`, then all `delivered`, then all `read`. */
function deliveriesOf({ campaignId, phoneNumberId }: Scene, load: { messages: number; size: number }): Signed[] {
	const timestamp = String(Math.floor(Date.now() / 1000))
	const all = STATUSES.flatMap((status) =>
		Array.from({ length: load.messages }, (_, index) => ({
			id: `wamid.bench${index + 1}`,
			status,
			timestamp,
			recipient_id: '919800000000',
			biz_opaque_callback_data: `campaign:${campaignId}:${index + 1}`,
			...(status === 'read' ? {} : { pricing: PRICING }),
		})),
	)
	return Array.from({ length: Math.ceil(all.length / load.size) }, (_, index) => {
		const statuses = all.slice(index * load.size, (index + 1) * load.size)
		const metadata = { display_phone_number: '15550000000', phone_number_id: phoneNumberId }
		const value = { messaging_product: 'whatsapp', metadata, statuses }
		const changes = [{ field: 'messages', value }]
		const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: 'waba-bench', changes }] })
		return { body, signature: `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` }
	})
}

interface Signed {
	body: string
	signature: string
}

/** Posts all webhooks over this many connections. Posts a refused webhook again, as WhatsApp does. */
async function post(url: string, deliveries: Signed[], connections: number) {
	const { origin, pathname } = new URL(url)
	const pool = new Pool(origin, { connections })
	const waiting = deliveries.values()
	const times: number[] = []
	let failures = 0
	const send = async () => {
		for (const { body, signature } of waiting) {
			for (let status = 0; status !== 200; failures += status === 200 ? 0 : 1) {
				const began = performance.now()
				const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
				const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
				await answer.body.dump()
				status = answer.statusCode
				times.push(performance.now() - began)
			}
		}
	}
	const began = performance.now()
	await Promise.all(Array.from({ length: connections }, send))
	const ms = performance.now() - began
	await pool.close()
	return { ms, failures, p50: median(times), p99: percentile(times, 0.99) }
}

function rate(perSecond: number): string {
	return formatCount(Math.round(perSecond)).padStart(9)
}

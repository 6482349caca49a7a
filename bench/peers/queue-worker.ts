import { Worker } from 'bullmq'
import { Pool as DatabasePool } from 'pg'
import { Pool } from 'undici'

/**
 * Runs the worker of the usual design, which has a job for each message and processes many jobs concurrently. A job
 * posts the message, writes its row and counts it in its campaign; BullMQ retries a job that throws. Prints "ready"
 * when it accepts jobs.
 */
const { REDIS_PORT, DATABASE_URL, GRAPH_URL, PHONE_NUMBER_ID, ACCESS_TOKEN, CONCURRENCY } = process.env

const database = new DatabasePool({ connectionString: DATABASE_URL, max: 20 })
const network = new Pool(GRAPH_URL ?? '', { connections: Number(CONCURRENCY) })
const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' }

const worker = new Worker<{ id: number; number: string; name: string }>(
	'messages',
	async ({ data: { id, number, name } }) => {
		const { statusCode, body } = await network.request({
			method: 'POST',
			path: `/v25.0/${PHONE_NUMBER_ID}/messages`,
			headers,
			body: JSON.stringify({
				messaging_product: 'whatsapp',
				to: `+${number}`,
				type: 'template',
				template: {
					name: 'hello',
					language: { code: 'en_US' },
					components: [{ type: 'body', parameters: [{ type: 'text', text: name }] }],
				},
			}),
		})
		const answer = (await body.json()) as { messages?: { id: string }[] }
		if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
		await database.query(`update peer_messages set status = 'sent', wamid = $2, sent_at = now() where id = $1`, [
			id,
			answer.messages?.[0]?.id,
		])
		await database.query('update peer_campaigns set sent = sent + 1 where id = 1')
	},
	{
		connection: { host: '127.0.0.1', port: Number(REDIS_PORT), maxRetriesPerRequest: null },
		concurrency: Number(CONCURRENCY),
	},
)
// BullMQ retries a failed job; the benchmark counts the jobs that are left.
worker.on('failed', () => {})
worker.on('error', () => {})
await worker.waitUntilReady()
console.log('ready')

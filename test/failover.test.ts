import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '#lib/server/db.ts'
import { createListener } from '#lib/server/db/channels/listener.ts'
import { createLog } from '#lib/server/log.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign } from './full-stack.ts'
import { startReplicatedProduct, type ReplicatedProduct } from './servers/replicated-product.ts'
import { until } from './until.ts'

const RECIPIENTS = 400
const PER_SECOND = 60
/** Maximum time for every process to find the new primary. It takes seconds; leases take ten. */
const RECOVERED_MS = 60_000

let product: ReplicatedProduct
before(async () => {
	product = await startReplicatedProduct({ isSynchronous: true }, { LOG_LEVEL: 'silent' })
})
after(() => product.close())

test('connect refuses two read-only servers with the fault of each, and without the password', async () => {
	const { servers } = product
	const standby = new URL(servers.standby.url)
	const gone = `${standby.hostname}:9`
	const readers = connect(servers.standby.url.replace(standby.host, `${standby.host},${gone}`), { max: 1 })
	await assert.rejects(
		async () => readers`select 1`,
		({ message }: Error) => {
			assert.match(message, new RegExp(`${standby.host}: it takes no writes`))
			assert.match(message, new RegExp(`${gone}: .*ECONNREFUSED`))
			assert.ok(!message.includes(standby.password))
			return true
		},
	)
	await readers.end()
})

test('a campaign continues after the primary was killed and the synchronous standby promoted, and sends no message twice', async () => {
	const { servers, url, db, simulator, process } = product
	const notified: string[] = []
	const listener = createListener(url, createLog('silent'))
	await listener.listen('drill', (payload) => notified.push(payload))
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PER_SECOND })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ pending }) => pending < RECIPIENTS - 50)

	await servers.primary.kill()
	await servers.promote()

	await until(async () => (await fetch(`${process.url}/readyz`)).ok, RECOVERED_MS, 100)
	// Each process detects the failover without help, including the connection that listens.
	await until(
		async () => {
			await db`select pg_notify('drill', 'after')`.catch(() => {})
			return notified.length > 0
		},
		RECOVERED_MS,
		200,
	)
	await listener.close()
	const isDone = async () =>
		(await db`select 1 from campaigns where id = ${campaignId} and status = 'completed'`.catch(() => [])).length === 1
	await until(isDone, RECOVERED_MS, 100)
	const counts = Object.values(await simulator.control.receivedCounts())
	assert.ok(counts.every((count) => count === 1))
	assert.ok(counts.length > RECIPIENTS * 0.8)
	assert.deepEqual(await moneyFindings(db), [])
})

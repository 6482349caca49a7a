import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readEnv } from '#app/server/env.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import { connect, type Db } from '#lib/server/db.ts'
import { createListener } from '#lib/server/listener.ts'
import { createLog } from '#lib/server/log.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign } from './full-stack.ts'
import { startReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts'
import { until } from './until.ts'

const RECIPIENTS = 400
const PER_SECOND = 60
/** After a failover every process finds the new primary within seconds; leases take ten. */
const RECOVERED_MS = 60_000

let servers: ReplicatedPostgres
let url: string
let simulator: Simulator
let product: Process
let db: Db
let dataDir: string
before(async () => {
	servers = await startReplicatedPostgres({ isSynchronous: true })
	simulator = await startSimulator({ statuses: { sentMs: 20, deliveredMs: 60, readMs: 120, failRate: 0 } })
	dataDir = await mkdtemp(join(tmpdir(), 'test-failover-'))
	// The standby comes first: it is asked, and refused.
	url = bothHosts(servers.standby.url, servers.primary.url)
	const env = readEnv({
		NODE_ENV: 'test',
		PORT: '0',
		DATA_DIR: dataDir,
		DATABASE_URL: url,
		SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
		GRAPH_URL: simulator.url,
		LOG_LEVEL: 'silent',
	})
	product = await startProcess(env, createLog('silent'), { kind: 'production' })
	env.PUBLIC_URL = product.url
	db = connect(url, { max: 3 })
})
after(async () => {
	await product?.stop()
	await db?.end()
	await simulator?.close()
	await servers?.stop()
	await rm(dataDir, { recursive: true, force: true })
})

function bothHosts(first: string, second: string): string {
	return first.replace(/@[^/]*/, `@${new URL(first).host},${new URL(second).host}`) + '?target_session_attrs=read-write'
}

test('connect refuses two read-only servers with what is wrong with each, and without the password', async () => {
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

test('a campaign goes on after the primary was killed and the synchronous standby promoted, and nobody gets a message twice', async () => {
	const notified: string[] = []
	const listener = createListener(url, createLog('silent'))
	await listener.listen('drill', (payload) => notified.push(payload))
	const sender = await sendingAccount({ process: product, simulator }, { contacts: RECIPIENTS, perSecond: PER_SECOND })
	const campaignId = await startCampaign({ process: product }, sender)
	await campaignWhen({ db }, { ...sender, campaignId }, ({ pending }) => pending < RECIPIENTS - 50)

	await servers.primary.kill()
	await servers.promote()

	await until(async () => (await fetch(`${product.url}/readyz`)).ok, RECOVERED_MS, 100)
	// Every process notices by itself, also the connection that listens.
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

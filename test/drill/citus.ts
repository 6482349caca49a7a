import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Db } from '#lib/server/db.ts'
import { migrate } from '#lib/server/migrate.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { startProductChild } from '../child-process.ts'
import { createOnNodes, disconnect, findNodes, onAllNodes, urlOf } from '../cluster.ts'
import { findFreePort } from '../free-port.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { numberPrefix, productEnv, startCampaigns, STATUSES, untilClaimed, type StartedCampaign } from './campaigns.ts'
import { measure, resultOf } from './outcome.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SERVER = process.env.TEST_LISTEN_URL || process.env.TEST_DATABASE_URL
const SENDERS = 8
const RECIPIENTS = 400
const PER_SECOND = 8
const GONE_MS = 20_000
/** After this time what was on its way to the lost machine has failed. */
const NOTICED_MS = 5000

/** The last machine is reached through a proxy of this process, so the cluster has to run on this computer. */
export const citus: Scenario = {
	name: 'citus',
	about: 'one machine of a Citus cluster is lost in mid-campaign, and comes back after 20 seconds',
	async missing() {
		const nodes = SERVER ? await findNodes(SERVER) : null
		if (nodes && nodes.length > 2) return null
		return 'TEST_DATABASE_URL names no Citus coordinator on this computer that has two workers or more'
	},
	run,
}

async function run({ log }: DrillOptions): Promise<DrillResult> {
	const direct = (await findNodes(SERVER ?? '')) ?? []
	const last = direct.at(-1) ?? ''
	const proxy = await startTcpProxy({ host: new URL(last).hostname, port: Number(new URL(last).port || 5432) })
	const nodes = [...direct.slice(0, -1), proxy.url(last)]
	const name = `test_drill_${process.pid}`
	const databaseUrl = urlOf(direct[0] ?? '', name)
	const dir = await mkdtemp(join(tmpdir(), 'drill-'))
	await chmod(dir, 0o755)
	const simulator = await startSimulator({ statuses: STATUSES })
	const db = connect(databaseUrl, { max: 3, name: 'drill' })
	const port = String(await findFreePort())
	const url = `http://127.0.0.1:${port}`
	let product: ChildProcess | undefined
	try {
		await createOnNodes(nodes, name)
		await migrate(databaseUrl, { isDistributing: true })
		const env = { ...productEnv({ simulator, url, dataDir: dir }), PORT: port, DATABASE_URL: databaseUrl }
		product = await startProductChild(env)
		const given = { senders: SENDERS, recipients: RECIPIENTS, perSecond: PER_SECOND }
		const started = await startCampaigns({ url, simulator, db }, given)
		const elsewhere = await listElsewhere(db, started, proxy.port)
		if (elsewhere.length === 0 || elsewhere.length === SENDERS) throw new Error('all accounts are on one machine')
		await untilClaimed(db, (SENDERS * RECIPIENTS) / 4)
		proxy.refuse(true)
		log(`a machine is lost; ${elsewhere.length} of ${SENDERS} accounts are on others`)
		await sleep(NOTICED_MS)
		const receivedBySender = async () => {
			const numbers = Object.keys(await simulator.control.receivedCounts())
			return elsewhere.map((index) => numbers.filter((number) => number.startsWith(numberPrefix(index))).length)
		}
		const before = await receivedBySender()
		await sleep(GONE_MS - NOTICED_MS)
		const during = await receivedBySender()
		proxy.refuse(false)
		log('the machine is back')
		const result = resultOf(await measure({ db, simulator }))
		const stoodStill = during.filter((count, index) => count < RECIPIENTS && count <= (before[index] ?? 0))
		return { ...result, others: { 'accounts on other machines that stood still': stoodStill.length } }
	} finally {
		product?.kill('SIGKILL')
		await db.end()
		await simulator.close()
		await disconnect(direct, name)
		await onAllNodes(direct, (admin) => admin.unsafe(`drop database if exists "${name}" with (force)`))
		await proxy.close()
		await rm(dir, { recursive: true, force: true })
	}
}

/** Which of the senders have their account on another machine than the one that is reached at this port. */
async function listElsewhere(db: Db, started: StartedCampaign[], port: number): Promise<number[]> {
	const elsewhere: number[] = []
	for (const [index, { id }] of started.entries()) {
		const [campaign] = await db<{ owner: number }[]>`select account_id as owner from campaigns where id = ${id}`
		const [shard] = await db<{ port: number }[]>`
			select nodeport as port from citus_shards
			where shardid = get_shard_id_for_distribution_column('campaigns', ${campaign?.owner ?? 0}::bigint)
		`
		if (shard?.port !== port) elsewhere.push(index)
	}
	return elsewhere
}

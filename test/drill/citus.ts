import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Db } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { startProductChild } from '../child-process.ts'
import { findFreePort } from '../free-port.ts'
import { createOnNodes, disconnect, findNodes, onAllNodes, urlOf } from '../servers/cluster.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { numberPrefix, productEnv, startCampaigns, STATUSES, untilClaimed, type StartedCampaign } from './campaigns.ts'
import { measure, resultOf } from './outcome.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SERVER = process.env.TEST_LISTEN_URL || process.env.TEST_DATABASE_URL
const SENDERS = 8
const RECIPIENTS = 400
const PER_SECOND = 8
/** Messages a second of each sender; slow, so that all shards are moved before all messages are sent. */
const PER_SECOND_OF_MOVED = 3
const GONE_MS = 20_000
/** Time after which the requests in flight to the lost machine have failed. */
const NOTICED_MS = 5000

async function missing(): Promise<string | null> {
	const nodes = SERVER ? await findNodes(SERVER) : null
	if (nodes && nodes.length > 2) return null
	return 'TEST_DATABASE_URL names no Citus coordinator on this computer that has two workers or more'
}

export const citus: Scenario = {
	name: 'citus',
	about: 'one machine of a Citus cluster is lost in mid-campaign, and comes back after 20 seconds',
	missing,
	run: ({ log }) => onCluster(PER_SECOND, (cluster) => loseMachine(cluster, log)),
}

export const rebalance: Scenario = {
	name: 'rebalance',
	about: 'each account of a Citus cluster moves to another machine in mid-campaign',
	missing,
	run: ({ log }) => onCluster(PER_SECOND_OF_MOVED, (cluster) => moveShards(cluster, log)),
}

interface Cluster {
	url: string
	db: Db
	simulator: Simulator
	/** Proxy to the last machine of the cluster, which must therefore run on this computer. */
	proxy: TcpProxy
	started: StartedCampaign[]
}

/** Creates a database on the cluster, starts its campaigns, and runs `work` when a quarter of their messages are claimed. */
async function onCluster(perSecond: number, work: (cluster: Cluster) => Promise<DrillResult>): Promise<DrillResult> {
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
		const given = { senders: SENDERS, recipients: RECIPIENTS, perSecond }
		const started = await startCampaigns({ url, simulator, db }, given)
		await untilClaimed(db, (SENDERS * RECIPIENTS) / 4)
		return await work({ url: databaseUrl, db, simulator, proxy, started })
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

async function loseMachine({ db, simulator, proxy, started }: Cluster, log: DrillOptions['log']): Promise<DrillResult> {
	const elsewhere = await listElsewhere(db, started, proxy.port)
	if (elsewhere.length === 0 || elsewhere.length === SENDERS) throw new Error('all accounts are on one machine')
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
}

/** Moves each shard, with all rows of its accounts, to another machine. */
async function moveShards({ url, db, simulator }: Cluster, log: DrillOptions['log']): Promise<DrillResult> {
	const mover = connect(url, { max: 1, name: 'drill', timeoutMs: 0 })
	try {
		const shards = await mover<{ id: number; name: string; port: number }[]>`
			select shardid as id, nodename as name, nodeport as port from citus_shards where table_name = 'wallets'::regclass
		`
		for (const { id, name, port } of shards) {
			const startedAt = performance.now()
			await mover`
				select citus_move_shard_placement(${id}, ${name}, ${port}, n.nodename, n.nodeport)
				from pg_dist_node n where n.groupid <> 0 and n.nodeport <> ${port} limit 1
			`
			const [open] = await db<{ count: number }[]>`select count(*)::int from campaigns where finished_at is null`
			const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
			log(`a shard has moved in ${seconds} s; ${open?.count ?? 0} campaigns are being sent`)
		}
	} finally {
		await mover.end()
	}
	return resultOf(await measure({ db, simulator }))
}

/** Returns the indexes of the senders whose account is on another machine than the one at this port. */
async function listElsewhere(db: Db, started: StartedCampaign[], port: number): Promise<number[]> {
	const elsewhere: number[] = []
	for (const [index, { id }] of started.entries()) {
		const [campaign] = await db<
			{ accountId: number }[]
		>`select account_id as "accountId" from campaigns where id = ${id}`
		const [shard] = await db<{ port: number }[]>`
			select nodeport as port from citus_shards
			where shardid = get_shard_id_for_distribution_column('campaigns', ${campaign?.accountId ?? 0}::bigint)
		`
		if (shard?.port !== port) elsewhere.push(index)
	}
	return elsewhere
}

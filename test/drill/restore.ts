import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openCluster, urlOf } from '#embedded/cluster.ts'
import { findPostmaster } from '#embedded/postmaster.ts'
import { findPrograms } from '#embedded/run-as.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { connect } from '#lib/server/db.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { startProductChild } from '../child-process.ts'
import { findFreePort } from '../free-port.ts'
import { call } from '../http-app.ts'
import { countClaimed, productEnv, startCampaigns, STATUSES, untilClaimed, type StartedCampaign } from './campaigns.ts'
import { measure, resultOf } from './outcome.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SENDERS = 4
const RECIPIENTS = 1000
/** Messages a second of each sender; also the number of messages in one claim. */
const PER_SECOND = 25
const IN_ALL = SENDERS * RECIPIENTS
const REPORTED_MS = 60_000

/**
 * Scenario that follows docs/operations/restore.md: runs its commands for the embedded database, and makes the accounts'
 * choices on the reports of their campaigns.
 */
export const restore: Scenario = {
	name: 'restore',
	about: 'the database goes back to a backup that was made in mid-campaign, while its campaigns went on',
	missing: async () => null,
	run,
}

async function run({ log }: DrillOptions): Promise<DrillResult> {
	const dir = await mkdtemp(join(tmpdir(), 'drill-'))
	await chmod(dir, 0o755)
	const [dataDir, backup] = [join(dir, 'data'), join(dir, 'backup')]
	const simulator = await startSimulator({ statuses: STATUSES })
	const port = String(await findFreePort())
	const url = `http://127.0.0.1:${port}`
	const env = { ...productEnv({ simulator, url, dataDir }), PORT: port }
	const command = async (name: string, ...args: string[]) => {
		await promisify(execFile)(process.execPath, [join('scripts', `${name}.ts`), ...args], { env })
		log(`npm run ${name} has ended`)
	}
	const withDatabase = async <T>(work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> => {
		const db = connect(await embeddedUrl(dataDir), { max: 3, name: 'drill' })
		try {
			return await work(db)
		} finally {
			await db.end()
		}
	}
	const stops: (() => Promise<void>)[] = []
	const start = async () => {
		const product = await startProductChild(env)
		const stop = async () => {
			if (product.exitCode !== null || product.signalCode !== null) return
			product.kill('SIGTERM')
			await once(product, 'exit')
		}
		stops.push(stop)
		return stop
	}
	try {
		const stop = await start()
		const given = { senders: SENDERS, recipients: RECIPIENTS, perSecond: PER_SECOND }
		const started = await withDatabase(async (db) => {
			const accountIds = await startCampaigns({ url, simulator, db }, given)
			await untilClaimed(db, IN_ALL / 4)
			await command('backup', backup)
			const then = await countClaimed(db)
			log(`${then} of ${IN_ALL} messages are claimed after the backup`)
			await untilClaimed(db, then + IN_ALL / 4)
			return accountIds
		})
		await stop()
		const sentBefore = Object.keys(await simulator.control.receivedCounts()).length
		log(`${sentBefore} were received when the database was lost`)
		await command('restore', backup)
		await command('restored')
		const end = await start()
		await simulator.control.waitIdle({ timeoutMs: REPORTED_MS })
		const { known, chosen } = await decideAll(url, started)
		log(`the backup knew of ${known}, and their owners count ${chosen} as sent`)
		if (sentBefore - known < IN_ALL / 5)
			throw new Error('too few messages were sent after the backup to prove anything')
		const measured = await withDatabase((db) => measure({ db, simulator }))
		await end()
		const result = resultOf(measured)
		const { neverAccepted, statusUpdatesLost } = measured.lost
		return {
			...result,
			lost: result.lost - neverAccepted - statusUpdatesLost,
			others: {
				'counted as sent though not received, beyond one batch of each campaign': Math.max(
					0,
					neverAccepted - SENDERS * PER_SECOND,
				),
			},
			notes: [
				...result.notes,
				`sent after the backup: ${sentBefore - known}`,
				`counted as sent though not received: ${neverAccepted}, at most ${SENDERS * PER_SECOND} by the choices`,
				`received, and reported only to the database that was lost: ${statusUpdatesLost}`,
			],
		}
	} finally {
		for (const stop of stops) await stop()
		await simulator.close()
		await rm(dir, { recursive: true, force: true })
	}
}

async function embeddedUrl(dataDir: string): Promise<string> {
	const folder = join(dataDir, 'postgres')
	const cluster = await openCluster(folder, findPrograms(dataDir, folder))
	const running = await findPostmaster(cluster)
	if (!running) throw new Error('the database does not run')
	return urlOf(cluster, running.port)
}

/** Makes each account's choice: the number that the report proposes plus one claim, as the report advises. */
async function decideAll(url: string, started: StartedCampaign[]): Promise<{ known: number; chosen: number }> {
	let [known, chosen] = [0, 0]
	for (const { id, token } of started) {
		const params = { id }
		const { campaign } = (await call(url, campaigns.get, { params, query: { page: 1, limit: 10 }, token })).body
		if (!campaign.restored) throw new Error(`the report of campaign ${id} offers no choice`)
		const { claimedThrough, reportedThrough } = campaign.restored
		const sentThrough = Math.min(campaign.totalCount, reportedThrough + PER_SECOND)
		const decided = await call(url, campaigns.decideRestored, { params, body: { sentThrough }, token })
		const resumed = await call(url, campaigns.resume, { params, token })
		if (decided.status + resumed.status !== 400) throw new Error(`campaign ${id}: ${resumed.body.message}`)
		known += claimedThrough
		chosen += sentThrough
	}
	return { known, chosen }
}

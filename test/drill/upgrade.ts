import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#lib/server/db.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { startTestPostgres } from '../servers/postgres-server.ts'
import { productEnv, startCampaigns, STATUSES, untilClaimed } from './campaigns.ts'
import { startFront } from './front.ts'
import { measure, resultOf, watchShelved } from './outcome.ts'
import { endByTerm, startRelease, untilReady } from './processes.ts'
import { copyWorkTree, extractRelease, lastRelease, testOn } from './release.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SENDERS = 10
const RECIPIENTS = 800
/** Messages a second of each sender: the campaigns last some 40 seconds. */
const PER_SECOND = 20
/** Time for which the old processes run together with the new ones. */
const TOGETHER_MS = 6000
/** Processes of each release: a web server and three workers. */
const ROLES = ['http', 'worker', 'worker', 'worker'] as const

/**
 * Scenario that sends with the processes of the last release, starts the processes of this release in parallel, one of
 * which migrates, and ends the old processes.
 */
export const upgrade: Scenario = {
	name: 'upgrade',
	about: 'a new release is started beside the last one while it sends, and the last one is stopped',
	missing: ({ from }) =>
		lastRelease(from).then(
			() => null,
			(error: Error) => error.message,
		),
	run,
}

async function run({ from, log }: DrillOptions): Promise<DrillResult> {
	const revision = await lastRelease(from)
	const dir = await mkdtemp(join(tmpdir(), 'drill-'))
	await chmod(dir, 0o755)
	const [last, next] = [join(dir, 'last'), join(dir, 'next')]
	const [, postgres, simulator, front] = await Promise.all([
		extractRelease(revision, last),
		startTestPostgres({ durable: true }),
		startSimulator({ statuses: STATUSES }),
		startFront(),
	])
	await copyWorkTree(next, last)
	log(`the last release is ${revision.slice(0, 12)}`)
	const db = connect(postgres.url, { max: 3, name: 'drill' })
	const env = {
		...productEnv({ simulator, url: front.url, dataDir: join(dir, 'data') }),
		DATABASE_URL: postgres.url,
	}
	const start = async (folder: string) => {
		const starting = ROLES.map((role, index) => startRelease(folder, { ...env, ROLE: role }, `${folder}-${index}.log`))
		const processes = await Promise.all(starting)
		front.add(processes[0]?.port ?? 0)
		await Promise.all(processes.map(({ ready }) => ready))
		return processes
	}
	try {
		const old = await start(last)
		await untilReady(`${front.url}/readyz`)
		await startCampaigns(
			{ url: front.url, simulator, db },
			{ senders: SENDERS, recipients: RECIPIENTS, perSecond: PER_SECOND },
		)
		const shelved = watchShelved(db)
		await untilClaimed(db, (SENDERS * RECIPIENTS) / 4)
		const unreadyBeforeMs = front.unreadyMs()
		log('a quarter is claimed: starting the new release')
		const startedAt = performance.now()
		const fresh = await start(next)
		log(`the new release was ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
		await sleep(TOGETHER_MS)
		const oldEnds = await Promise.all(old.map(endByTerm))
		log('the last release has ended')
		const result = resultOf(await measure({ db, simulator }))
		shelved.stop()
		const unreadyMs = front.unreadyMs() - unreadyBeforeMs
		const freshEnds = await Promise.all(fresh.map(endByTerm))
		const logs = await Promise.all(fresh.map(({ logFile }) => readFile(logFile, 'utf8')))
		const retries = logs.join('').split('could not get its locks').length - 1
		log('running the tests of the last release on the new schema')
		const failedTests = await testOn(last, next)
		return {
			...result,
			shelved: shelved.most(),
			others: {
				'processes that ended by themselves or badly': [...oldEnds, ...freshEnds].filter((code) => code !== 0).length,
				'failed tests of the last release on the new schema': failedTests,
			},
			notes: [
				...result.notes,
				`attempts of the migration that were put off by locks: ${retries}`,
				`seconds without a ready web server: ${(unreadyMs / 1000).toFixed(1)}`,
			],
		}
	} finally {
		await db.end()
		front.close()
		await simulator.close()
		await postgres.stop()
		await rm(dir, { recursive: true, force: true })
	}
}

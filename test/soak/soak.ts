import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { Db } from '#lib/server/db.ts'
import { startCampaigns } from './campaigns.ts'
import { startDeployment, type Deployment } from './deployment.ts'
import { causeEvent, planEvents } from './events.ts'
import { endNetworkFaults, type NetworkFaults } from './network-faults.ts'
import type { SoakOptions } from './options.ts'
import { findFailures, readOutcome, type Outcome } from './outcome.ts'
import { Progress, type Recovery } from './progress.ts'
import { Random } from './random.ts'

const POLL_INTERVAL_MS = 250
const NOTE_INTERVAL_MS = 15_000
/** Maximum time for delayed webhooks to arrive when the web server runs again, and maximum time to apply them. */
const WEBHOOKS_TIMEOUT_MS = 120_000
const REPORTS_TIMEOUT_MS = 30_000

export interface SoakResult extends Outcome {
	recoveries: Recovery[]
	network: NetworkFaults
	/** Number of exits of processes that were not killed. */
	unplannedExits: number
	seconds: number
	failures: string[]
}

/**
 * Sends campaigns while processes, PostgreSQL and connections are broken at random, and counts the outcomes of the messages.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
	const random = new Random(options.seed)
	const deployment = await startDeployment(options, random)
	try {
		await startCampaigns(deployment, options)
		options.log(`${options.senders * options.recipients} messages of ${options.senders} senders are being sent`)
		const startedAt = performance.now()
		const progress = new Progress(deployment.db)
		try {
			await causeEvents({ deployment, progress, random, options })
			await waitForCompletion(progress, options)
		} finally {
			await progress.stop()
		}
		const seconds = (performance.now() - startedAt) / 1000
		const network = await endNetworkFaults(deployment.simulator)
		const received = await waitForStatusUpdates(deployment, options)
		const outcome = await readOutcome(deployment.db, received)
		const processes = [deployment.http, ...deployment.workers]
		const unplannedExits = processes.reduce((sum, each) => sum + each.unplannedExits, 0)
		return {
			...outcome,
			recoveries: progress.recoveries,
			network,
			unplannedExits,
			seconds,
			failures: findFailures(outcome, network, options),
		}
	} finally {
		await deployment.stop()
	}
}

interface Run {
	deployment: Deployment
	progress: Progress
	random: Random
	options: SoakOptions
}

async function causeEvents({ deployment, progress, random, options }: Run): Promise<void> {
	for (const kind of planEvents(options.events, random)) {
		await sleep(random.between(options.gapMs * 0.4, options.gapMs * 1.6))
		options.log(`${progress.claimed} claimed; ${kind}`)
		progress.noteEvent(kind)
		await causeEvent(kind, deployment, random)
	}
}

async function waitForCompletion(progress: Progress, options: SoakOptions): Promise<void> {
	const startedAt = performance.now()
	let notedAt = startedAt
	while (progress.unfinished !== 0) {
		await sleep(POLL_INTERVAL_MS)
		if (performance.now() - startedAt > options.deadlineMs) {
			options.log('The deadline has passed')
			return
		}
		if (performance.now() - notedAt < NOTE_INTERVAL_MS) continue
		notedAt = performance.now()
		options.log(`${progress.claimed} claimed; ${progress.unfinished} campaigns are not finished`)
	}
}

/**
 * Waits until the network has sent every status update and the product has stored it, after which nothing more arrives.
 * Returns the number of messages that each recipient received.
 */
async function waitForStatusUpdates(
	{ simulator, db }: Deployment,
	options: SoakOptions,
): Promise<Record<string, number>> {
	await simulator.waitIdle({ timeoutMs: WEBHOOKS_TIMEOUT_MS }).catch((error: unknown) => options.log(String(error)))
	const received = await simulator.receivedCounts()
	const deadline = performance.now() + REPORTS_TIMEOUT_MS
	while (performance.now() < deadline && (await isStatusUpdateMissing(db, received))) await sleep(POLL_INTERVAL_MS)
	return received
}

/** Returns true if a status update has not been applied yet: every accepted message is delivered in the end. */
async function isStatusUpdateMissing(db: Db, received: Record<string, number>): Promise<boolean> {
	const rows = await db<{ number: string }[]>`
		select number from campaign_messages where status = 'sent' or status = 'failed' and error_code = ${OWN_ERRORS.unconfirmed.code}
	`.catch(() => null)
	return rows === null || rows.some(({ number }) => received[number] !== undefined)
}

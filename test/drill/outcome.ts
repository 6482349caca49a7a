import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '#lib/durations.ts'
import type { Db } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { readOutcome, type Outcome } from '../soak/outcome.ts'
import type { DrillResult } from './scenario.ts'

const POLL_INTERVAL_MS = 200
/** Time without progress after which the campaigns count as stopped. */
const STALLED_MS = 90_000
/** Maximum time to apply status updates that were received. */
const SETTLED_MS = 5000
const MAX_WAIT_MS = 30 * MINUTE_MS

interface Measured {
	db: Db
	simulator: Pick<Simulator, 'control'>
}

export interface Measurement extends Outcome {
	/** Number of messages in `lost.stuck` whose campaign has not ended. */
	pendingOfOpen: number
	/** Number of dead letters among the inbound webhooks. */
	shelved: number
}

/**
 * Counts the outcomes of the messages when the campaigns have ended and all status updates are applied, or when nothing
 * progresses any more.
 */
export async function measure(measured: Measured): Promise<Measurement> {
	const { db, simulator } = measured
	await untilStill(measured)
	const [open] = await db<{ pending: number }[]>`
		select count(*) as pending from campaign_messages m
		join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
		where m.status = 'pending' and c.finished_at is null
	`
	const [kept] = await db<{ count: number }[]>`
		select count(*) from webhook_deliveries where kept_because is not null
	`
	const outcome = await readOutcome(db, await simulator.control.receivedCounts())
	return { ...outcome, pendingOfOpen: open?.pending ?? 0, shelved: kept?.count ?? 0 }
}

/**
 * Waits until nothing progresses any more. Any progress extends the deadline, because a campaign on a busy machine may be
 * slow.
 */
async function untilStill({ db, simulator }: Measured): Promise<void> {
	const startedAt = performance.now()
	let movedAt = startedAt
	let seen = ''
	while (performance.now() - startedAt < MAX_WAIT_MS) {
		const isIdle = await simulator.control.waitIdle({ timeoutMs: 0 }).then(
			() => true,
			() => false,
		)
		const work = await readWork(db).catch(() => null)
		const isDone = isIdle && work !== null && work.open + work.deliveries === 0
		if (isDone && work.unreported === 0) return
		const now = JSON.stringify(work)
		if (work && now !== seen) [seen, movedAt] = [now, performance.now()]
		if (performance.now() - movedAt > (isDone ? SETTLED_MS : STALLED_MS)) return
		await sleep(POLL_INTERVAL_MS)
	}
}

async function readWork(db: Db) {
	const [row] = await db<{ open: number; pending: number; unreported: number; deliveries: number }[]>`
		select
			(select count(*) from campaigns where finished_at is null) as open,
			(select count(*) from campaign_messages where status = 'pending') as pending,
			(select count(*) from campaign_messages where status = 'sent') as unreported,
			(select count(*) from webhook_deliveries where kept_because is null) as deliveries
	`
	return row ?? null
}

/** Returns the result of a drill in which every message must get its status update. */
export function resultOf({
	messages,
	duplicates,
	lost,
	givenUp,
	drift,
	unfinished,
	pendingOfOpen,
	shelved,
}: Measurement) {
	return {
		messages,
		twice: duplicates.length,
		lost: lost.stuck - pendingOfOpen + lost.neverAccepted + lost.statusUpdatesLost,
		unfinished: pendingOfOpen,
		shelved,
		refunded: lost.acceptedButFailed + givenUp.received,
		findings: drift.length,
		others: {},
		notes: [...unfinished, ...drift],
	} satisfies DrillResult
}

/** Counts dead letters repeatedly. `most` returns the maximum. */
export function watchShelved(db: Db): { most(): number; stop(): void } {
	let most = 0
	const look = async () => {
		const [row] = await db<{ kept: number }[]>`
			select count(*) as kept from webhook_deliveries where kept_because is not null
		`
		most = Math.max(most, row?.kept ?? 0)
	}
	const timer = setInterval(() => void look().catch(() => {}), POLL_INTERVAL_MS)
	return { most: () => most, stop: () => clearInterval(timer) }
}

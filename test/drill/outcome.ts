import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { readOutcome } from '../soak/outcome.ts'
import { until } from '../until.ts'
import type { DrillResult } from './scenario.ts'

const SETTLED_MS = 60_000
const POLL_INTERVAL_MS = 200

/** Waits until no campaign is open any more, at most this long. */
export async function untilCompleted(db: Db, timeoutMs: number): Promise<void> {
	const isOpen = async () => (await db`select 1 from campaigns where finished_at is null limit 1`).length > 0
	const deadline = performance.now() + timeoutMs
	while ((await isOpen().catch(() => true)) && performance.now() < deadline) await sleep(POLL_INTERVAL_MS)
}

/** What became of the messages, when the network has reported all of them, and the product has taken that. */
export async function readResult(
	{ db, simulator }: { db: Db; simulator: Simulator },
	shelved: number,
): Promise<Omit<DrillResult, 'others' | 'notes'>> {
	await simulator.control.waitIdle({ timeoutMs: SETTLED_MS })
	// What is missing after that stands in the result.
	const isSettled = async () =>
		(
			await db`
			select 1 from campaign_messages where status = 'sent'
			union all select 1 from webhook_deliveries where kept_because is null limit 1
		`
		).length === 0
	await until(isSettled, SETTLED_MS, POLL_INTERVAL_MS).catch(() => {})
	const { messages, duplicates, lost, givenUp, drift } = await readOutcome(db, await simulator.control.receivedCounts())
	return {
		messages,
		twice: duplicates.length,
		lost: lost.stuck + lost.neverAccepted + lost.reportsLost,
		shelved,
		refunded: lost.acceptedButFailed + givenUp.received,
		findings: drift.length,
	}
}

/** Counts the deliveries that are kept, again and again; `most` is how many there ever were at once. */
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

import { OWN_ERRORS } from '#features/campaigns/rules.ts'
import { transaction, type OwnerId, type Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { openCampaign, type OpenerDeps } from '../lifecycle/open.ts'
import { settle } from './settle.ts'
import * as queries from './sweep-queries.ts'

export interface SweepDeps extends OpenerDeps {
	log: Log
	/** Seconds until an unconfirmed message is failed and its money given back. */
	unknownAfter: number
}

/** Messages settled per transaction. */
const CHUNK = 5000
/** Meta keeps trying to deliver for so many days. */
const DELIVERY_DAYS = 30
/** A campaign that is so late was given up by the job queue, as after a long failure of the network. */
const OVERDUE_MINUTES = 3

/** Fails, and gives back the money of, messages for which no report came in time. Returns how many. */
export async function sweepUnconfirmed(deps: SweepDeps): Promise<number> {
	const owners = await queries.listUnconfirmedAllOwners(deps.db, deps.unknownAfter)
	const swept = await forEachAlone(deps, owners, (owner) =>
		failInChunks(deps, owner, {
			reason: OWN_ERRORS.unconfirmed,
			next: (sql) => queries.listUnconfirmed(sql, owner, { seconds: deps.unknownAfter, limit: CHUNK }),
		}),
	)
	if (swept > 0) deps.log.warn({ messages: swept }, 'unconfirmed messages were failed and refunded')
	return swept
}

/** Releases what cancelled campaigns, and those that could not run, had not sent. Returns how many messages. */
export async function sweepEnded(deps: SweepDeps): Promise<number> {
	return forEachAlone(deps, await queries.listEndedAllOwners(deps.db), ({ owner, campaignId, status }) =>
		failInChunks(deps, owner, {
			reason: status === 'cancelled' ? OWN_ERRORS.cancelled : OWN_ERRORS.notRun,
			next: (sql) => queries.takeUnsent(sql, owner, { campaignId, limit: CHUNK }),
		}),
	)
}

/** Fails, and refunds, accepted messages that were never delivered within Meta's 30 days. */
export async function sweepExpired(deps: SweepDeps): Promise<number> {
	const expired = await queries.listExpiredAllOwners(deps.db, DELIVERY_DAYS)
	return forEachAlone(deps, expired, ({ owner, campaignId }) =>
		failInChunks(deps, owner, {
			reason: OWN_ERRORS.expired,
			next: (sql) => queries.listExpired(sql, owner, { campaignId, days: DELIVERY_DAYS, limit: CHUNK }),
		}),
	)
}

/** Opens campaigns whose job gave up. Returns how many were tried. */
export async function sweepOverdue(deps: SweepDeps): Promise<number> {
	return forEachAlone(deps, await queries.listOverdueAllOwners(deps.db, OVERDUE_MINUTES), async (campaign) => {
		await openCampaign(deps, campaign)
		return 1
	})
}

/** Does the work for each of them and adds up; what goes wrong with one does not keep the others waiting. */
async function forEachAlone<T>({ log }: SweepDeps, items: T[], work: (item: T) => Promise<number>): Promise<number> {
	let total = 0
	for (const item of items) {
		total += await work(item).catch((error: unknown) => {
			log.error({ error, item }, 'a sweep failed for one account')
			return 0
		})
	}
	return total
}

/** Fails what `next` finds, a chunk per transaction, until it finds no more. */
async function failInChunks(
	{ db, notify }: SweepDeps,
	owner: OwnerId,
	{ reason, next }: { reason: { code: number; text: string }; next: (sql: Sql) => Promise<queries.MessageKey[]> },
): Promise<number> {
	for (let total = 0; ;) {
		const count = await transaction(db, async (sql) => {
			const keys = await next(sql)
			const updates = keys.map((key) => ({
				...key,
				status: 'failed' as const,
				at: new Date(),
				wamid: null,
				errorCode: reason.code,
				error: reason.text,
				held: false,
			}))
			if (updates.length > 0) await settle(sql, owner, { updates, notify })
			return updates.length
		})
		if (count === 0) return total
		total += count
	}
}

/** Runs the quick sweeps every second or so, and the slow one every hour, until stopped. */
export function startSweeps(deps: SweepDeps): { stop(): Promise<void> } {
	const every = (milliseconds: number, sweep: (deps: SweepDeps) => Promise<number>) => {
		let running: Promise<unknown> = Promise.resolve()
		let busy = false
		const timer = setInterval(() => {
			if (busy) return
			busy = true
			running = sweep(deps)
				.catch((error: unknown) => deps.log.error({ error }, `${sweep.name} failed`))
				.finally(() => (busy = false))
		}, milliseconds)
		return async () => {
			clearInterval(timer)
			await running
		}
	}
	const stops = [
		every(1500, sweepUnconfirmed),
		every(1000, sweepEnded),
		every(60_000, sweepOverdue),
		every(3_600_000, sweepExpired),
	]
	return {
		async stop() {
			await Promise.all(stops.map((stop) => stop()))
		},
	}
}

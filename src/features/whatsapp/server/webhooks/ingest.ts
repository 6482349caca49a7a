import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { listAccountsAllAccounts, scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { subscribe } from '#lib/server/db/channels.ts'
import type { Listener } from '#lib/server/db/listener.ts'
import { findSchemaDifference } from '#lib/server/db/schema.ts'
import type { Log } from '#lib/server/log.ts'
import { isRecord } from '../graph-client.ts'
import { AccountSchedule } from './account-schedule.ts'
import {
	addValues,
	failedBecause,
	isIgnored,
	isWorthRetrying,
	kindsOf,
	MESSAGE_KINDS,
	reasonToKeep,
} from './delivery-reader.ts'
import {
	claimDeliveries,
	deleteDeliveries,
	isAnsweredAllAccounts,
	countProcessed,
	keepDeliveries,
	listKeptReasonsAllAccounts,
	listWaitingAllAccounts,
	requeueKept,
	type ClaimLimit,
	type Delivery,
} from './queries.ts'
import { webhooksChannel } from './webhooks-channel.ts'

/**
 * Takes the values of one webhook field, all that a batch of deliveries brought. Must be idempotent, in any order. Returns what
 * is to be done once that is committed, if anything: a crash in between loses it.
 */
export type WebhookHandler = (sql: Sql, accountId: AccountId, values: unknown[]) => Promise<FollowUp | void>
type FollowUp = () => Promise<void>

/** By kind: `statuses` and `messages` of the field "messages", every other field by its own name. */
export type WebhookHandlers = Partial<Record<string, WebhookHandler>>

export interface IngestDeps {
	db: Db
	listener: Listener
	log: Log
	handlers: WebhookHandlers
}

/** In one transaction, and one delivery at least: some 2,500 statuses, of about 400 bytes each. */
const BATCH: ClaimLimit = { deliveries: 100, bytes: 1024 * 1024 }
const SINGLE: ClaimLimit = { deliveries: 1, bytes: 1 }
const BATCH_INTERVAL_MS = 500
const RETRY_MS = 2000
const MAX_ACCOUNTS_AT_ONCE = 8
/** Finds deliveries without a notification, and those that a crashed worker left. */
const SCAN_INTERVAL_MS = 2000
const SCAN_LIMIT = 1000

/** How often what is kept is looked through for what may be processed now, also when a process of the last release kept it. */
const KEPT_INTERVAL_MS = 60_000

/** Processes stored webhook deliveries, account by account, as their arrival is notified. */
export async function startIngest(deps: IngestDeps): Promise<{ stop(): Promise<void> }> {
	const { log } = deps
	const schedule = new AccountSchedule({
		work: (accountId) => processBatch(deps, accountId),
		onError: (error, accountId) => log.error({ error, accountId }, 'webhooks could not be processed'),
		maxRunning: MAX_ACCOUNTS_AT_ONCE,
		intervalMs: BATCH_INTERVAL_MS,
		retryMs: RETRY_MS,
	})
	let scanning: Promise<void> | null = null
	const scan = () => {
		scanning ??= scanWaiting(deps, schedule)
			.catch((error: unknown) => log.error({ error }, 'accounts with waiting webhooks could not be listed'))
			.finally(() => (scanning = null))
	}
	const unlisten = await subscribe(deps.listener, webhooksChannel, {
		onPayload: (accountId) => schedule.notify(accountId),
		onGap: scan,
	})
	const timer = setInterval(scan, SCAN_INTERVAL_MS)
	const requeue = () => requeueKeptOnes(deps).catch((error: unknown) => log.error({ error }, KEPT_UNREAD))
	const keptTimer = setInterval(() => void requeue(), KEPT_INTERVAL_MS)
	await requeue()
	scan()

	return {
		async stop() {
			clearInterval(timer)
			clearInterval(keptTimer)
			unlisten()
			await scanning
			await schedule.stop()
		},
	}
}

async function scanWaiting({ db }: IngestDeps, schedule: AccountSchedule): Promise<void> {
	schedule.prune()
	// Those of a busy account may be a million: they are not even looked at.
	const accountIds = [...new Set(await listAccountsAllAccounts(db)).difference(new Set(schedule.busy()))]
	const waiting = await scanAllAccounts(db, (only) =>
		transaction(
			db,
			(sql) => listWaitingAllAccounts(sql, { accountIds: only === null ? accountIds : [only], limit: SCAN_LIMIT }),
			{ isByKey: true },
		),
	)
	for (const accountId of new Set(waiting.map((row) => row.accountId))) schedule.wake(accountId)
}

/** Processes the account's oldest deliveries in one transaction. */
async function processBatch(deps: IngestDeps, accountId: AccountId): Promise<'more' | 'taken' | 'nothing'> {
	const claimed: Delivery[] = []
	try {
		const { isFull, followUps } = await transaction(
			deps.db,
			(sql) => processDeliveries(sql, accountId, { ...deps, limit: BATCH, claimed }),
			{ isByKey: true },
		)
		if (claimed.length === 0) return 'nothing'
		await followUp(deps, accountId, followUps)
		return isFull ? 'more' : 'taken'
	} catch (error) {
		// Without a claim, the database has failed, not a delivery.
		if (claimed.length === 0) throw error
		deps.log.warn({ error, accountId }, 'a batch of webhooks failed and is processed one by one')
		for (let left = claimed.length; left > 0; left--) await processOne(deps, accountId)
		return 'more'
	}
}

/** Processes the oldest delivery alone; if it fails again by its own fault it is kept aside, so that those after it go on. */
async function processOne(deps: IngestDeps, accountId: AccountId): Promise<void> {
	const { db, log } = deps
	const claimed: Delivery[] = []
	let isItsFault = false
	try {
		const { followUps } = await transaction(db, async (sql) => {
			try {
				return await processDeliveries(sql, accountId, { ...deps, limit: SINGLE, claimed })
			} catch (error) {
				isItsFault = !isTransient(error) && (await isAnsweredAllAccounts(sql)) && !(await isOutdated(db))
				throw error
			}
		})
		await followUp(deps, accountId, followUps)
	} catch (error) {
		const [delivery] = claimed
		if (!delivery || !isItsFault) throw error
		log.error({ error, accountId, id: delivery.id }, 'a webhook could not be processed and is kept')
		await keepDeliveries(db, accountId, [{ id: delivery.id, because: failedBecause(error) }])
	}
}

async function followUp({ log }: IngestDeps, accountId: AccountId, followUps: readonly FollowUp[]): Promise<void> {
	for (const each of followUps)
		await each().catch((error: unknown) => log.error({ error, accountId }, 'what a webhook asks for could not be done'))
}

/**
 * PostgreSQL's classes of errors that another attempt may not meet: lost connections, deadlocks, a lack of resources,
 * time-outs, failures of the server itself. What remains is a value that it refuses, or a bug of ours.
 */
function isTransient(error: unknown): boolean {
	return isRecord(error) && /^(08|25|40|53|55|57|58|XX)\w{3}$/.test(String(error.code))
}

/** Adds the claimed deliveries to `claimed`. */
async function processDeliveries(
	sql: Sql,
	accountId: AccountId,
	{ handlers, limit, claimed }: Pick<IngestDeps, 'handlers'> & { limit: ClaimLimit; claimed: Delivery[] },
): Promise<{ isFull: boolean; followUps: FollowUp[] }> {
	claimed.push(...(await claimDeliveries(sql, accountId, limit)))
	const read = claimed.map((delivery) => ({ delivery, found: kindsOf(delivery) }))
	const taken = ofOneLockOrder(read)
	const isCut = taken.length < read.length
	claimed.splice(taken.length)
	const values = new Map<string, unknown[]>()
	const kept: { id: number; because: string }[] = []
	const processed: number[] = []
	for (const { delivery, found } of taken) {
		const because = reasonToKeep([...found.keys()], isKnownTo(handlers))
		if (because !== null) kept.push({ id: delivery.id, because })
		else processed.push(delivery.id)
		for (const [kind, list] of found) addValues(values, kind, list)
	}
	const followUps: FollowUp[] = []
	for (const [kind, found] of inLockOrder(values)) {
		// The field's name comes from outside: `handlers` must have it as its own property.
		const then = isKnownTo(handlers)(kind) ? await handlers[kind]?.(sql, accountId, found) : undefined
		if (then) followUps.push(then)
	}
	const received = claimed.at(-1)?.receivedAt
	const ignored = Array.from(values, ([kind, { length }]) =>
		isIgnored(kind) && !isKnownTo(handlers)(kind) ? length : 0,
	)
	const total = ignored.reduce((sum, count) => sum + count, 0)
	if (received)
		await countProcessed(sql, accountId, { deliveries: claimed.length, ignored: total, receivedAt: received })
	if (kept.length > 0) await keepDeliveries(sql, accountId, kept)
	if (processed.length > 0) await deleteDeliveries(sql, accountId, processed)
	const bytes = claimed.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
	const isFull = isCut || claimed.length >= limit.deliveries || bytes >= limit.bytes
	return { isFull, followUps }
}

function isKnownTo(handlers: WebhookHandlers): (kind: string) => boolean {
	return (kind) => Object.hasOwn(handlers, kind)
}

/** Statuses lock campaigns and the wallet, which everything else that locks them locks last. */
function inLockOrder(values: Map<string, unknown[]>): [string, unknown[]][] {
	return [...values].toSorted(([a], [b]) => MESSAGE_KINDS.indexOf(a) - MESSAGE_KINDS.indexOf(b))
}

/**
 * The first deliveries, as far as one transaction may take them: what concerns an account or a template pauses campaigns,
 * which statuses lock after their messages. The others wait for the next one. No delivery is both: `routeDelivery` splits it.
 */
function ofOneLockOrder<T extends { found: ReadonlyMap<string, unknown> }>(deliveries: readonly T[]): readonly T[] {
	const isInOrder = ({ found }: T) => found.keys().every((kind) => MESSAGE_KINDS.includes(kind))
	const end = deliveries.findIndex((delivery, _, [first]) => first && isInOrder(delivery) !== isInOrder(first))
	return end === -1 ? deliveries : deliveries.slice(0, end)
}

/** A statement may fail because a newer release has migrated the database: its processes then take the delivery. */
async function isOutdated(db: Db): Promise<boolean> {
	return (await findSchemaDifference(db)) !== null
}

const KEPT_UNREAD = 'kept webhooks could not be looked at'

/** Queues deliveries again that were not understood and now are, or that failed in another release. */
async function requeueKeptOnes({ db, log, handlers }: IngestDeps): Promise<void> {
	const kept = await scanAllAccounts(db, (accountId) => listKeptReasonsAllAccounts(db, accountId))
	for (const { accountId, because } of kept.filter((each) => isWorthRetrying(each.because, isKnownTo(handlers)))) {
		const deliveries = await requeueKept(db, accountId, because)
		if (deliveries > 0) log.info({ accountId, because, deliveries }, 'kept webhooks are processed by this release')
	}
}

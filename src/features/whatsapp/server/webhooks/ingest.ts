import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { listAccountsAllAccounts, scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { subscribe } from '#lib/server/db/channels/channels.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import { findSchemaDifference } from '#lib/server/db/schema/schema.ts'
import type { Log } from '#lib/server/log.ts'
import { isRecord } from '../graph-client.ts'
import { AccountSchedule } from './account-schedule.ts'
import {
	addValues,
	failureReason,
	isIgnored,
	isWorthRetrying,
	kindsOf,
	MESSAGE_KINDS,
	reasonForDeadLetter,
} from './delivery-reader.ts'
import { MAX_UNITS, splitDelivery, unitsOf } from './delivery-split.ts'
import {
	claimDeliveries,
	deleteDeliveries,
	isAnsweredAllAccounts,
	countProcessed,
	markDeadLetters,
	listDeadLetterReasonsAllAccounts,
	listWaitingAllAccounts,
	requeueDeadLetters,
	updateBody,
	type ClaimLimit,
	type Delivery,
} from './queries.ts'
import { webhooksChannel } from './webhooks-channel.ts'

/**
 * Processes the values of one webhook field from a batch of webhooks. Must be idempotent and independent of order. May
 * return work to run after the commit; a crash in between loses that work.
 */
export type WebhookHandler = (sql: Sql, accountId: AccountId, values: unknown[]) => Promise<FollowUp | void>
type FollowUp = () => Promise<void>

/** Handlers by kind: `statuses` and `messages` of the field "messages", every other field by its own name. */
export type WebhookHandlers = Partial<Record<string, WebhookHandler>>

export interface IngestDeps {
	db: Db
	listener: Listener
	log: Log
	handlers: WebhookHandlers
}

/** Maximum webhooks and bytes of a batch, which has at least one webhook: about 2,500 statuses of 400 bytes. */
const BATCH: ClaimLimit = { deliveries: 1000, bytes: 1024 * 1024 }
/** Maximum webhooks processed one by one after a batch has failed, so that the next batch is tried soon. */
const MAX_ONE_BY_ONE = 100
const SINGLE: ClaimLimit = { deliveries: 1, bytes: 1 }
const BATCH_INTERVAL_MS = 500
const RETRY_MS = 2000
const MAX_ACCOUNTS_AT_ONCE = 8
/** Milliseconds between scans for webhooks whose notification was lost or whose worker crashed. */
const SCAN_INTERVAL_MS = 2000
const SCAN_LIMIT = 1000

/**
 * Milliseconds between checks for dead letters that this release can process, including those of other running
 * releases.
 */
const DEAD_LETTER_INTERVAL_MS = 60_000

/** Processes stored webhooks, account by account, as their arrival is notified. Returns a handle that stops it. */
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
	const requeue = () => requeueRetryable(deps).catch((error: unknown) => log.error({ error }, DEAD_LETTERS_UNREAD))
	const deadLetterTimer = setInterval(() => void requeue(), DEAD_LETTER_INTERVAL_MS)
	await requeue()
	scan()

	return {
		async stop() {
			clearInterval(timer)
			clearInterval(deadLetterTimer)
			unlisten()
			await scanning
			await schedule.stop()
		},
	}
}

async function scanWaiting({ db }: IngestDeps, schedule: AccountSchedule): Promise<void> {
	schedule.prune()
	// Busy accounts are excluded, because their waiting webhooks may be a million rows.
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

/**
 * Processes the account's oldest webhooks in one transaction; when that fails, the first MAX_ONE_BY_ONE of them one by one.
 * Returns `more` when webhooks may remain, `taken` when all were processed, and `nothing` when none could be claimed.
 */
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
		// A failure before the claim is one of the database, not of a webhook.
		if (claimed.length === 0) throw error
		deps.log.warn({ error, accountId }, 'a batch of webhooks failed and is processed one by one')
		for (let left = Math.min(claimed.length, MAX_ONE_BY_ONE); left > 0; left--) await processOne(deps, accountId)
		return 'more'
	}
}

/**
 * Processes only the oldest webhook. When it fails again by its own fault, makes it a dead letter, so that later
 * webhooks proceed.
 */
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
		await markDeadLetters(db, accountId, [{ id: delivery.id, reason: failureReason(error) }])
	}
}

async function followUp({ log }: IngestDeps, accountId: AccountId, followUps: readonly FollowUp[]): Promise<void> {
	for (const each of followUps)
		await each().catch((error: unknown) => log.error({ error, accountId }, 'what a webhook asks for could not be done'))
}

/**
 * Returns true for PostgreSQL error classes that another attempt may avoid: lost connections, deadlocks, lack of
 * resources, timeouts, internal errors. All other errors are values that PostgreSQL refuses, or bugs.
 */
function isTransient(error: unknown): boolean {
	return isRecord(error) && /^(08|25|40|53|55|57|58|XX)\w{3}$/.test(String(error.code))
}

/**
 * Claims webhooks, adds them to `claimed` and runs their handlers. Webhooks of unknown kinds become dead letters.
 * `isFull` is true when more webhooks may wait; `followUps` is work to run after the commit.
 */
async function processDeliveries(
	sql: Sql,
	accountId: AccountId,
	{ handlers, limit, claimed }: Pick<IngestDeps, 'handlers'> & { limit: ClaimLimit; claimed: Delivery[] },
): Promise<{ isFull: boolean; followUps: FollowUp[] }> {
	claimed.push(...(await claimDeliveries(sql, accountId, limit)))
	const read = claimed.map((delivery) => ({ delivery, found: kindsOf(delivery) }))
	const taken = withinUnits(ofOneLockOrder(read))
	claimed.splice(taken.length)
	const values = new Map<string, unknown[]>()
	const deadLetters: { id: number; reason: string }[] = []
	const processed: number[] = []
	for (const { delivery, found, rest } of taken) {
		const reason = reasonForDeadLetter([...found.keys()], isKnownTo(handlers))
		if (rest !== undefined) await updateBody(sql, accountId, { id: delivery.id, body: rest })
		else if (reason !== null) deadLetters.push({ id: delivery.id, reason })
		else processed.push(delivery.id)
		for (const [kind, list] of found) addValues(values, kind, list)
	}
	const followUps: FollowUp[] = []
	for (const [kind, found] of inLockOrder(values)) {
		// The field name comes from outside, so `handlers` must have it as its own property.
		const then = isKnownTo(handlers)(kind) ? await handlers[kind]?.(sql, accountId, found) : undefined
		if (then) followUps.push(then)
	}
	const received = claimed.at(-1)?.receivedAt
	const whole = taken.filter(({ rest }) => rest === undefined)
	const ignored = Array.from(values, ([kind, { length }]) =>
		isIgnored(kind) && !isKnownTo(handlers)(kind) ? length : 0,
	)
	const total = ignored.reduce((sum, count) => sum + count, 0)
	if (received) await countProcessed(sql, accountId, { deliveries: whole.length, ignored: total, receivedAt: received })
	if (deadLetters.length > 0) await markDeadLetters(sql, accountId, deadLetters)
	if (processed.length > 0) await deleteDeliveries(sql, accountId, processed)
	const bytes = claimed.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
	const isCut = taken.length < read.length || whole.length < taken.length
	const isFull = isCut || claimed.length >= limit.deliveries || bytes >= limit.bytes
	return { isFull, followUps }
}

function isKnownTo(handlers: WebhookHandlers): (kind: string) => boolean {
	return (kind) => Object.hasOwn(handlers, kind)
}

/**
 * Sorts kinds into lock order. Statuses come last, because they lock campaigns and the wallet, which are locked last
 * everywhere.
 */
function inLockOrder(values: Map<string, unknown[]>): [string, unknown[]][] {
	return [...values].toSorted(([a], [b]) => MESSAGE_KINDS.indexOf(a) - MESSAGE_KINDS.indexOf(b))
}

/**
 * Returns the first webhooks that one transaction may process. Account and template changes lock campaigns first,
 * statuses lock messages and then campaigns: one transaction with both could deadlock. `routeDelivery` never stores
 * both in one webhook.
 */
function ofOneLockOrder<T extends { found: ReadonlyMap<string, unknown> }>(deliveries: readonly T[]): readonly T[] {
	const isInOrder = ({ found }: T) => found.keys().every((kind) => MESSAGE_KINDS.includes(kind))
	const end = deliveries.findIndex((delivery, _, [first]) => first && isInOrder(delivery) !== isInOrder(first))
	return end === -1 ? deliveries : deliveries.slice(0, end)
}

interface ReadDelivery {
	delivery: Delivery
	found: Map<string, unknown[]>
	/** Body of what a later batch processes; undefined for a webhook that this batch processes whole. */
	rest?: string
}

/** Returns the first webhooks that have at most `MAX_UNITS` together; of a first webhook beyond them, its first part. */
function withinUnits(deliveries: readonly ReadDelivery[]): readonly ReadDelivery[] {
	let units = 0
	const end = deliveries.findIndex(({ found }) => (units += unitsOf(found)) > MAX_UNITS)
	if (end > 0) return deliveries.slice(0, end)
	const [large] = deliveries
	if (end === -1 || !large) return deliveries
	const { first, rest } = splitDelivery(large.delivery.body)
	if (rest === null) return [large]
	const delivery = { ...large.delivery, body: first }
	return [{ delivery, found: kindsOf(delivery), rest }]
}

/** Returns true when a newer release has migrated the database; its processes then take the webhook. */
async function isOutdated(db: Db): Promise<boolean> {
	return (await findSchemaDifference(db)) !== null
}

const DEAD_LETTERS_UNREAD = 'kept webhooks could not be looked at'

/** Queues dead letters that this release knows how to process, or that failed in another release. */
async function requeueRetryable({ db, log, handlers }: IngestDeps): Promise<void> {
	const found = await scanAllAccounts(db, (accountId) => listDeadLetterReasonsAllAccounts(db, accountId))
	for (const { accountId, reason } of found.filter((each) => isWorthRetrying(each.reason, isKnownTo(handlers)))) {
		const deliveries = await requeueDeadLetters(db, accountId, reason)
		if (deliveries > 0)
			log.info({ accountId, because: reason, deliveries }, 'kept webhooks are processed by this release')
	}
}

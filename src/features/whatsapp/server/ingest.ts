import { onAccount } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import type { Listener } from '#lib/server/listener.ts'
import type { Log } from '#lib/server/log.ts'
import { isRecord } from './graph-client.ts'
import {
	claimDeliveries,
	deleteDeliveries,
	keepDelivery,
	listWaitingAllOwners,
	type Delivery,
} from './ingest-queries.ts'

/** Takes the values of one webhook field, all that a batch of deliveries brought. Must bear repetition and any order. */
export type WebhookHandler = (sql: Sql, owner: OwnerId, values: unknown[]) => Promise<void>

/** By kind: `statuses` and `messages` of the field "messages", every other field by its own name. */
export type WebhookHandlers = Partial<Record<string, WebhookHandler>>

export interface IngestDeps {
	db: Db
	listener: Listener
	log: Log
	handlers: WebhookHandlers
}

/** Deliveries taken into one transaction; each may hold a thousand updates. */
const BATCH = 20
/** Deliveries left by a process that died are looked for this often, in milliseconds. */
const SCAN_EVERY = 2000

/** Lets stored webhook deliveries take effect, account by account, as they are announced. */
export async function startIngest(deps: IngestDeps): Promise<{ stop(): Promise<void> }> {
	const { db, log } = deps
	const running = new Map<OwnerId, Promise<void>>()
	const again = new Set<OwnerId>()
	const state = { isStopping: false }

	const run = async (owner: OwnerId) => {
		do {
			again.delete(owner)
			while (!state.isStopping && (await processBatch(deps, owner)) > 0);
		} while (again.has(owner) && !state.isStopping)
	}
	const start = (owner: OwnerId) => {
		if (running.has(owner)) return again.add(owner)
		const task = run(owner)
			.catch((error: unknown) => log.error({ error, owner }, 'webhooks could not be processed'))
			.finally(() => running.delete(owner))
		return running.set(owner, task)
	}
	const scan = () =>
		void listWaitingAllOwners(db)
			.then((owners) => owners.forEach(start))
			.catch((error: unknown) => log.error({ error }, 'looking for webhooks'))
	const unlisten = await onAccount(deps.listener, 'webhooks', (owner) => (owner === null ? scan() : start(owner)))
	const timer = setInterval(scan, SCAN_EVERY)

	return {
		async stop() {
			state.isStopping = true
			clearInterval(timer)
			unlisten()
			await Promise.all(running.values())
		},
	}
}

/** Processes the account's oldest deliveries in one transaction; returns how many. */
async function processBatch(deps: IngestDeps, owner: OwnerId): Promise<number> {
	try {
		return await transaction(deps.db, (sql) => processDeliveries(sql, owner, { ...deps, limit: BATCH }))
	} catch (error) {
		deps.log.warn({ error, owner }, 'a batch of webhooks failed, taking them one by one')
		return processOne(deps, owner)
	}
}

/** Processes the oldest delivery alone; if it fails again by its own fault it is kept aside, so that those after it go on. */
async function processOne(deps: IngestDeps, owner: OwnerId): Promise<number> {
	const { db, log } = deps
	const seen: number[] = []
	try {
		return await transaction(db, (sql) => processDeliveries(sql, owner, { ...deps, limit: 1, seen }))
	} catch (error) {
		const [id] = seen
		if (id === undefined || !isItsFault(error)) throw error
		log.error({ error, owner, id }, 'a webhook could not be processed and is kept')
		const because = `failed: ${error instanceof Error ? error.message : String(error)}`
		await keepDelivery(db, owner, { id, because })
		return 1
	}
}

/**
 * Whether a delivery will fail again however often it is tried: a value that PostgreSQL refuses, or a bug of ours. A lost
 * connection, a deadlock or a full disk is not its fault.
 */
function isItsFault(error: unknown): boolean {
	const code = isRecord(error) && typeof error.code === 'string' ? error.code : null
	return code === null ? !(error instanceof AggregateError) : /^(22|23|42)/.test(code)
}

async function processDeliveries(
	sql: Sql,
	owner: OwnerId,
	{ handlers, limit, seen }: IngestDeps & { limit: number; seen?: number[] },
): Promise<number> {
	const deliveries = await claimDeliveries(sql, owner, limit)
	seen?.push(...deliveries.map((delivery) => delivery.id))
	const values = new Map<string, unknown[]>()
	const done: number[] = []
	for (const delivery of deliveries) {
		const found = kindsOf(delivery)
		const unknown = found.filter(({ kind }) => !handlers[kind]).map(({ kind }) => kind)
		if (unknown.length > 0) {
			await keepDelivery(sql, owner, {
				id: delivery.id,
				because: `not understood: ${[...new Set(unknown)].join(', ')}`,
			})
		} else done.push(delivery.id)
		for (const { kind, value } of found) {
			const list = values.get(kind)
			if (list) list.push(value)
			else values.set(kind, [value])
		}
	}
	for (const [kind, found] of values) await handlers[kind]?.(sql, owner, found)
	if (done.length > 0) await deleteDeliveries(sql, owner, done)
	return deliveries.length
}

/** Takes a delivery apart: every status and message by itself, every other change as its whole value. */
function kindsOf(delivery: Delivery): { kind: string; value: unknown }[] {
	const body = JSON.parse(delivery.body) as unknown
	const entries = isRecord(body) && Array.isArray(body.entry) ? (body.entry as unknown[]) : []
	const changes = entries.flatMap((entry) =>
		isRecord(entry) && Array.isArray(entry.changes) ? (entry.changes as unknown[]) : [],
	)
	const found = changes.filter(isRecord).flatMap((change) => {
		const field = String(change.field)
		if (field !== 'messages' || !isRecord(change.value)) return [{ kind: field, value: change.value }]
		const { statuses, messages } = change.value
		return [
			...(Array.isArray(statuses) ? (statuses as unknown[]).map((value) => ({ kind: 'statuses', value })) : []),
			...(Array.isArray(messages) ? [{ kind: 'messages', value: change.value as unknown }] : []),
		]
	})
	return found.length > 0 ? found : [{ kind: 'nothing known', value: null }]
}

import { onAccount } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
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
	const unlisten = await onAccount(db, 'webhooks', (owner) => (owner === null ? scan() : start(owner)))
	const timer = setInterval(scan, SCAN_EVERY)

	return {
		async stop() {
			state.isStopping = true
			clearInterval(timer)
			await unlisten()
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

/** Processes the oldest delivery alone; if it fails again it is kept aside, so that those after it are not held up. */
async function processOne(deps: IngestDeps, owner: OwnerId): Promise<number> {
	const { db, log } = deps
	try {
		return await transaction(db, (sql) => processDeliveries(sql, owner, { ...deps, limit: 1 }))
	} catch (error) {
		if (isConflict(error)) return 1
		log.error({ error, owner }, 'a webhook could not be processed and is kept')
		const because = `failed: ${error instanceof Error ? error.message : String(error)}`
		return transaction(db, async (sql) => {
			const [delivery] = await claimDeliveries(sql, owner, 1)
			if (delivery) await keepDelivery(sql, owner, { id: delivery.id, because })
			return delivery ? 1 : 0
		})
	}
}

/** Deadlock or serialisation failure: nothing is wrong with the delivery itself. */
function isConflict(error: unknown): boolean {
	return isRecord(error) && (error.code === '40P01' || error.code === '40001')
}

async function processDeliveries(
	sql: Sql,
	owner: OwnerId,
	{ handlers, limit }: IngestDeps & { limit: number },
): Promise<number> {
	const deliveries = await claimDeliveries(sql, owner, limit)
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

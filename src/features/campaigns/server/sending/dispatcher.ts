import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { onAccount } from '#lib/server/channels.ts'
import type { OwnerId } from '#lib/server/db.ts'
import type { Listener } from '#lib/server/listener.ts'
import { openLocks } from '#lib/server/locks.ts'
import { listAccountsWithWorkAllOwners } from './claim-queries.ts'
import { removeStaleWireLogs } from './send-log.ts'
import { runSender, type SenderDeps, type SenderLoop } from './send-loop.ts'

export interface DispatcherDeps extends Omit<SenderDeps, 'worker'> {
	listener: Listener
	/** The database's address, for the connection that holds the senders' locks. */
	url: string
}

export interface Dispatcher {
	/** Lets what is on the wire come back and be written down, then gives up every sender. */
	stop(): Promise<void>
}

/** How often senders without a driver are looked for, in milliseconds: those of a worker that died. */
const SCAN_EVERY = 2000

/**
 * Drives the senders that this process can own. Each sender has one driver at a time, by a lock that the database frees
 * when that process dies; any number of processes may run this on one database.
 */
export async function startDispatcher(deps: DispatcherDeps): Promise<Dispatcher> {
	const { db, log } = deps
	removeStaleWireLogs()
	const running = new Map<OwnerId, SenderLoop>()
	let stopping = false
	const locks = await openLocks(deps.url, () => {
		// Another worker may drive these senders now. Whichever takes a claim over, the wire log and the claim's own row
		// keep the other from sending or putting back its messages.
		log.warn('the connection that owns the senders was lost')
		for (const loop of running.values()) void loop.stop().catch(() => {})
	})

	const drive = async (owner: OwnerId) => {
		const known = running.get(owner)
		if (known) return known.wake()
		if (stopping || !(await locks.take(`sender:${owner}`)) || stopping || running.has(owner)) return
		// A name of its own for each run, so that claims which an earlier run left open are seen as such.
		const worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
		const loop = runSender({ ...deps, worker }, owner)
		running.set(owner, loop)
		await loop.ended.catch((error: unknown) => log.error({ error, owner }, 'a sender broke off'))
		running.delete(owner)
		await locks.release(`sender:${owner}`).catch(() => {})
	}
	const start = (owner: OwnerId) => void drive(owner).catch((error: unknown) => log.error({ error, owner }, 'sender'))

	const scan = async () => {
		for (const owner of await listAccountsWithWorkAllOwners(db)) if (!running.has(owner)) start(owner)
	}
	const scanSafely = () => void scan().catch((error: unknown) => log.error({ error }, 'looking for work'))
	const unlisten = await onAccount(deps.listener, 'work', (owner) => (owner === null ? scanSafely() : start(owner)))
	const timer = setInterval(scanSafely, SCAN_EVERY)

	return {
		async stop() {
			stopping = true
			clearInterval(timer)
			unlisten()
			await Promise.all([...running.values()].map((loop) => loop.stop()))
			await locks.close()
		},
	}
}

import { scanAllOwners } from '#lib/server/all-owners.ts'
import { onAccount } from '#lib/server/channels.ts'
import type { OwnerId } from '#lib/server/db.ts'
import type { Listener } from '#lib/server/listener.ts'
import { createSignal } from '#lib/server/signal.ts'
import { createOrigin } from './circuit-breaker.ts'
import { acquireLease, listActiveAllOwners, releaseLease, type ActiveSender, type Lease } from './lease-queries.ts'
import { removeStaleSendLogs } from './send-log.ts'
import { runSendLoop, type SendLoop, type SendLoopDeps, type SendLoopStats } from './send-loop.ts'

export interface DispatcherDeps extends Omit<SendLoopDeps, 'origin'> {
	listener: Listener
}

export interface Dispatcher {
	/** Of every sender that this process drives. */
	stats(): SendLoopStats[]
	/** Messages found in orphaned claims since the start. */
	recovered(): number
	/** Lets what is in flight come back and be settled, then gives up every lease. */
	stop(): Promise<void>
}

/** How often active senders are counted and shared out. */
const POLL_INTERVAL_MS = 1500
/** After a notification, so that several at once are one look. */
const GATHER_MS = 50
/** Leases acquired at the same time. */
const CONCURRENCY = 10

/**
 * Drives this worker's share of the active senders. A sender has one driver at a time, by the lease beside it; any number of
 * workers share one database, and give back what is more than their share when another joins.
 */
export async function startDispatcher(deps: DispatcherDeps): Promise<Dispatcher> {
	const { db, log, worker } = deps
	tidySendLogs(deps)
	const origin = createOrigin()
	const loops = new Map<OwnerId, SendLoop>()
	const stopping = new Set<OwnerId>()
	const signal = createSignal()
	let isStopping = false
	let recovered = 0

	const drive = async (owner: OwnerId, lease: Lease) => {
		const loop = runSendLoop({ ...deps, origin }, owner, lease)
		loops.set(owner, loop)
		await loop.ended.catch((error: unknown) => log.error({ error, owner }, 'a sender broke off'))
		const { unknown, unsent } = loop.stats().recovered
		recovered += unknown + unsent
		loops.delete(owner)
		stopping.delete(owner)
		await releaseLease(db, owner, lease).catch((error: unknown) =>
			log.warn({ error, owner }, 'a lease was not released'),
		)
	}
	const giveBack = (owner: OwnerId) => {
		stopping.add(owner)
		void loops.get(owner)?.stop()
	}
	const take = async (sender: ActiveSender) => {
		const lease = await acquireLease(db, sender.owner, { worker: worker.id, seen: sender })
		if (!lease) return
		if (isStopping || loops.has(sender.owner)) await releaseLease(db, sender.owner, lease)
		else void drive(sender.owner, lease)
	}
	const balance = async () => {
		if (!worker.isAlive()) return [...loops.keys()].forEach(giveBack)
		const active = await scanAllOwners(db, (owner) => listActiveAllOwners(db, owner))
		const peers = worker.peers()
		const share = Math.ceil(active.length / Math.max(1, peers.length))
		const mine = active.filter(({ owner }) => loops.has(owner) && !stopping.has(owner))
		for (const { owner } of mine.slice(share)) giveBack(owner)
		const free = active.filter((one) => !loops.has(one.owner) && isFree(one, { me: worker.id, peers }))
		const wanted = free.slice(0, Math.max(0, share - mine.length))
		for (let from = 0; from < wanted.length; from += CONCURRENCY) {
			await Promise.allSettled(wanted.slice(from, from + CONCURRENCY).map(take))
		}
	}
	const run = async () => {
		while (!isStopping) {
			await balance().catch((error: unknown) => log.error({ error }, 'active senders could not be shared out'))
			await signal.wait(POLL_INTERVAL_MS)
			if (!isStopping) await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
		}
	}
	const unlisten = await onAccount(deps.listener, 'work', (owner) => {
		for (const [known, loop] of loops) if (owner === null || owner === known) loop.wake()
		signal.notify()
	})
	const running = run()

	return {
		stats: () => Array.from(loops.values(), (loop) => loop.stats()),
		recovered: () =>
			Array.from(loops.values(), (loop) => loop.stats().recovered).reduce(
				(sum, one) => sum + one.unknown + one.unsent,
				recovered,
			),
		async stop() {
			isStopping = true
			unlisten()
			signal.notify()
			await running
			const ended = Array.from(loops.values(), (loop) => loop.ended.catch(() => {}))
			for (const owner of loops.keys()) giveBack(owner)
			await Promise.all(ended)
			while (loops.size > 0) await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
		},
	}
}

/** Nobody's, a dead worker's, or this worker's own from an answer that was lost. */
function isFree({ worker }: ActiveSender, { me, peers }: { me: string; peers: readonly string[] }): boolean {
	return worker === null || worker === me || !peers.includes(worker)
}

function tidySendLogs({ log }: DispatcherDeps): void {
	try {
		removeStaleSendLogs()
	} catch (error) {
		log.warn({ error }, 'old send logs could not be removed')
	}
}

import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, releaseLease, type Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { subscribe } from '#lib/server/db/channels/channels.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import { createNetworkState } from '#lib/server/pace/sender-mode.ts'
import { createSignal } from '#lib/server/signal.ts'
import { removeStaleSendLogs } from '#lib/server/storage/send-log.ts'
import { workChannel } from '../work-channel.ts'
import { listActiveAllAccounts, type ActiveSender } from './lease-queries.ts'
import { runSendLoop, type SendLoop, type SendLoopStats } from './send-loop.ts'
import type { SenderDeps } from './sender-run.ts'

export interface DispatcherDeps extends Omit<SenderDeps, 'network' | 'outcomes'> {
	listener: Listener
}

/** Interval in milliseconds at which active senders are counted and shared out. */
const POLL_INTERVAL_MS = 1500
/** Delay in milliseconds after a notification, so that several at once cause one scan. */
const GATHER_MS = 50
/** Number of leases acquired at the same time. */
const CONCURRENCY = 10
/** Time in milliseconds that a locked lease may delay the acquisition of other leases. */
const ACQUIRE_WAIT_MS = 500

/**
 * Sends for this worker's share of the active senders. One worker at a time sends for a sender, by its lease. Any number of
 * workers share one database, and each releases what exceeds its share when another joins.
 */
export class Dispatcher {
	readonly #deps: DispatcherDeps
	readonly #network = createNetworkState()
	/** Number of messages that this process has sent, by outcome. */
	readonly outcomes: SenderDeps['outcomes'] = new Map()
	readonly #loops = new Map<AccountId, SendLoop>()
	/** Leases being acquired. */
	readonly #taking = new Map<AccountId, Promise<void>>()
	readonly #signal = createSignal()
	readonly #stopping = new AbortController()
	#recovered = 0
	#running: Promise<void> = Promise.resolve()
	#unlisten = () => {}

	private constructor(deps: DispatcherDeps) {
		this.#deps = deps
	}

	static async start(deps: DispatcherDeps): Promise<Dispatcher> {
		const dispatcher = new Dispatcher(deps)
		tidySendLogs(deps)
		dispatcher.#unlisten = await subscribe(deps.listener, workChannel, {
			onPayload: (accountId) => dispatcher.#wake(accountId),
			onGap: () => dispatcher.#wake(null),
		})
		dispatcher.#running = dispatcher.#run()
		return dispatcher
	}

	/** Returns the figures of every sender that this process drives. */
	stats(): SendLoopStats[] {
		return Array.from(this.#loops.values(), (loop) => loop.stats())
	}

	/** Returns the number of messages found in orphaned claims since the start. */
	recovered(): number {
		return this.stats().reduce((sum, { recovered }) => sum + recovered, this.#recovered)
	}

	/** Waits until messages in flight are settled, then releases every lease. */
	async stop(): Promise<void> {
		this.#stopping.abort()
		this.#unlisten()
		this.#signal.wake()
		await this.#running
		await Promise.allSettled(this.#taking.values())
		for (const accountId of this.#loops.keys()) this.#giveBack(accountId)
		while (this.#loops.size > 0) await sleep(GATHER_MS)
	}

	#wake(accountId: AccountId | null): void {
		for (const [known, loop] of this.#loops) if (accountId === null || accountId === known) loop.wake()
		this.#signal.wake()
	}

	async #run(): Promise<void> {
		while (!this.#stopping.signal.aborted) {
			await this.#balance().catch((error: unknown) =>
				this.#deps.log.error({ error }, 'active senders could not be shared out'),
			)
			const expiryMs = Math.max(GATHER_MS, this.#deps.worker.nextExpiryMs())
			await this.#signal.wait(Math.min(POLL_INTERVAL_MS, expiryMs))
			if (!this.#stopping.signal.aborted) await sleep(GATHER_MS)
		}
	}

	/** Releases senders above this worker's share, or takes free ones up to it. */
	async #balance(): Promise<void> {
		const { db, worker } = this.#deps
		if (!worker.isAlive()) {
			for (const accountId of this.#loops.keys()) this.#giveBack(accountId)
			return
		}
		const active = await scanAllAccounts(db, (accountId) => listActiveAllAccounts(db, accountId))
		const peers = await this.#peersOf(active)
		// Another worker took these senders while this one counted as crashed. Their loops here can claim nothing any more.
		for (const one of active)
			if (this.#loops.has(one.accountId) && one.worker !== worker.id) this.#giveBack(one.accountId)
		const share = Math.ceil(active.length / Math.max(1, peers.length))
		const mine = active.filter(
			({ accountId }) => (this.#loops.get(accountId)?.stats().mode ?? 'draining') !== 'draining',
		)
		for (const { accountId } of mine.slice(share)) this.#giveBack(accountId)
		const isOurs = (accountId: AccountId) => this.#loops.has(accountId) || this.#taking.has(accountId)
		const free = active.filter((one) => !isOurs(one.accountId) && isFree(one, { me: worker.id, peers }))
		const wanted = free.slice(0, Math.max(0, share - mine.length - this.#taking.size))
		for (let from = 0; from < wanted.length; from += CONCURRENCY) {
			const taken = wanted.slice(from, from + CONCURRENCY).map((sender) => this.#take(sender))
			await Promise.race([Promise.allSettled(taken), sleep(ACQUIRE_WAIT_MS)])
		}
	}

	/**
	 * Returns the workers alive, read after the leases: since the last heartbeat a worker that holds leases may have
	 * joined, or one may have died.
	 */
	async #peersOf(active: readonly ActiveSender[]): Promise<readonly string[]> {
		const { worker: me } = this.#deps
		const peers = me.peers()
		const isKnown = active.every(({ worker }) => worker === null || peers.includes(worker))
		return isKnown && me.nextExpiryMs() > 0 ? peers : me.refreshPeers()
	}

	#giveBack(accountId: AccountId): void {
		void this.#loops.get(accountId)?.stop()
	}

	/**
	 * Acquires a sender's lease and runs its loop. Never rejects: a lease that was not acquired is tried again at the next
	 * poll.
	 */
	#take(sender: ActiveSender): Promise<void> {
		const taking = this.#acquire(sender)
			.catch(() => {})
			.finally(() => this.#taking.delete(sender.accountId))
		this.#taking.set(sender.accountId, taking)
		return taking
	}

	async #acquire({ accountId, ...seen }: ActiveSender): Promise<void> {
		const { db, worker } = this.#deps
		const lease = await acquireLease(db, accountId, { worker: worker.id, seen })
		if (!lease) return
		if (this.#stopping.signal.aborted) await releaseLease(db, accountId, lease)
		else void this.#drive(accountId, lease)
	}

	async #drive(accountId: AccountId, lease: Lease): Promise<void> {
		const { db, log } = this.#deps
		const loop = runSendLoop({ ...this.#deps, network: this.#network, outcomes: this.outcomes }, accountId, lease)
		this.#loops.set(accountId, loop)
		await loop.ended.catch((error: unknown) => log.error({ error, accountId }, 'a sender broke off'))
		this.#recovered += loop.stats().recovered
		await releaseLease(db, accountId, lease).catch((error: unknown) =>
			log.warn({ error, accountId }, 'a lease was not released'),
		)
		this.#loops.delete(accountId)
	}
}

/** Returns true for a lease that no worker holds, or a crashed one, or this worker through a lost answer. */
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem } from '#features/whatsapp/problems.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { FairSemaphore } from '#lib/server/fair-semaphore.ts'

/** Maximum bodies in flight from one unproven network, and from all of them: with 4 MiB each, 128 MiB of memory. */
const EACH = 4
const TOTAL = 32
/** Maximum calls of one unproven network that wait for a permit, and their longest wait in milliseconds. */
const MAX_WAITING = 100
const MAX_WAIT_MS = 10_000
/** Milliseconds in which a body of an unproven network must arrive. */
const MAX_BODY_MS = 20_000
/** Milliseconds for which a valid signature proves its network. */
const PROVEN_MS = HOUR_MS
/** Maximum remembered networks; the one that was proved longest ago is forgotten first. */
const MAX_PROVEN = 10_000

/**
 * Limits the webhook bodies that are read before their signature is known. A network is unproven until it sends a webhook with
 * a valid signature; its calls wait for a permit before their body is read. Calls of proven networks never wait.
 */
export class UnprovenBodies {
	readonly #permits = new FairSemaphore<string>({
		each: EACH,
		total: TOTAL,
		maxWaiting: MAX_WAITING,
		maxWaitMs: MAX_WAIT_MS,
		refusal: () => problem('webhooks_waiting'),
	})
	/** Time in milliseconds of the last valid signature, by network. */
	readonly #proven = new Map<string, number>()
	readonly #now: () => number

	constructor(now: () => number = () => performance.now()) {
		this.#now = now
	}

	/**
	 * Takes a permit until the response is sent or the connection closes. Cuts the connection when the body takes too long. Throws
	 * a 503 when the network's queue is full or the wait is too long.
	 */
	async begin(network: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (this.#isProven(network)) return
		const gone = new AbortController()
		response.once('close', () => gone.abort(problem('webhooks_waiting')))
		const end = await this.#permits.begin(network, gone.signal)
		const timer = setTimeout(() => request.complete || request.destroy(), MAX_BODY_MS)
		const leave = () => {
			clearTimeout(timer)
			end()
		}
		if (gone.signal.aborted) leave()
		else gone.signal.addEventListener('abort', leave, { once: true })
	}

	/** Remembers that this network has sent a webhook with a valid signature. */
	prove(network: string): void {
		this.#proven.delete(network)
		this.#proven.set(network, this.#now())
		const [oldest] = this.#proven.size > MAX_PROVEN ? this.#proven.keys() : []
		if (oldest !== undefined) this.#proven.delete(oldest)
	}

	#isProven(network: string): boolean {
		return this.#now() < (this.#proven.get(network) ?? -Infinity) + PROVEN_MS
	}
}

import { tooManyAttempts } from '#lib/problems.ts'

/** Maximum number of credentials in one statement. */
const BATCH_SIZE = 500
/**
 * Maximum numbers of waiting look-ups: of all callers, of one network, and of a network that has sent `MAX_UNKNOWN` unknown
 * credentials.
 */
const MAX_WAITING = 5000
const MAX_WAITING_OF_NETWORK = 1000
const MAX_WAITING_OF_SUSPECT = 10
/** Number of unknown credentials from one network within `WINDOW_MS` at which the network counts as suspect. */
const MAX_UNKNOWN = 1000
const WINDOW_MS = 60_000
/**
 * Milliseconds for which an unknown credential is refused without a look-up. New credentials are random, so none is created
 * with a text that was sent before.
 */
const UNKNOWN_MS = 5000
const RETRY_SECONDS = 2
/** Maximum number of entries in each map; the oldest entry is removed first. */
const MAX_REMEMBERED = 10_000

interface Waiting<Asked, Found> {
	asked: Asked
	/** The caller's network; null for a known credential, which does not count against its network. */
	network: Network | null
	turn: PromiseWithResolvers<Found | null>
}

interface Network {
	waiting: number
	unknown: number
	windowEndsAt: number
}

export interface LookupWork<Asked, Found> {
	/** Returns an entry per credential: null for one that may not be used now, undefined for one that does not exist. */
	look(asked: Asked[]): Promise<(Found | null | undefined)[]>
	/** Runs for a found credential before its callers receive it, once per statement. */
	onFound(found: Found, asked: Asked): Promise<void>
}

/**
 * Looks up the credentials of callers, one statement at a time. Calls that arrive during a statement wait for the next one and
 * equal credentials are looked up once, so any number of callers uses one connection. Each statement begins after the calls
 * that it serves, so a revoked credential is refused immediately.
 *
 * The limits apply before the database is queried, and only unknown credentials count against a network. Known credentials
 * always pass, and new ones of a suspect network wait in a short queue.
 */
export class CredentialLookups<Asked, Found> {
	readonly #work: LookupWork<Asked, Found>
	readonly #now: () => number
	readonly #waiting = new Map<string, Waiting<Asked, Found>>()
	readonly #known = new Map<string, true>()
	/** Time in milliseconds of the last look-up of each credential that does not exist. */
	readonly #unknown = new Map<string, number>()
	readonly #networks = new Map<string, Network>()
	#isRunning = false

	constructor(work: LookupWork<Asked, Found>, now: () => number = () => performance.now()) {
		this.#work = work
		this.#now = now
	}

	/** Returns the holder of the credential `key`, or null. Throws a 429 when too many look-ups wait. */
	async find(key: string, asked: Asked, networkName: string): Promise<Found | null> {
		if (this.#now() < (this.#unknown.get(key) ?? -Infinity) + UNKNOWN_MS) return null
		const same = this.#waiting.get(key)
		if (same) return same.turn.promise
		const network = this.#known.has(key) ? null : this.#enter(networkName)
		const turn = Promise.withResolvers<Found | null>()
		this.#waiting.set(key, { asked, network, turn })
		if (!this.#isRunning) void this.#run()
		return turn.promise
	}

	#enter(name: string): Network {
		const at = this.#now()
		const network = this.#networks.get(name) ?? { waiting: 0, unknown: 0, windowEndsAt: 0 }
		if (at >= network.windowEndsAt) Object.assign(network, { unknown: 0, windowEndsAt: at + WINDOW_MS })
		const limit = network.unknown < MAX_UNKNOWN ? MAX_WAITING_OF_NETWORK : MAX_WAITING_OF_SUSPECT
		if (network.waiting >= limit || this.#waiting.size >= MAX_WAITING) throw tooManyAttempts(RETRY_SECONDS)
		network.waiting++
		remember(this.#networks, name, network)
		return network
	}

	async #run(): Promise<void> {
		this.#isRunning = true
		while (this.#waiting.size > 0) {
			const batch = [...this.#waiting].slice(0, BATCH_SIZE)
			for (const [key, { network }] of batch) {
				this.#waiting.delete(key)
				if (network) network.waiting--
			}
			await this.#look(batch)
		}
		this.#isRunning = false
	}

	async #look(batch: [string, Waiting<Asked, Found>][]): Promise<void> {
		try {
			const all = await this.#work.look(batch.map(([, { asked }]) => asked))
			for (const [index, [key, { asked, network, turn }]] of batch.entries()) {
				const found = all[index]
				if (found) {
					remember(this.#known, key, true)
					turn.resolve(this.#work.onFound(found, asked).then(() => found))
					continue
				}
				this.#known.delete(key)
				if (found === undefined) {
					remember(this.#unknown, key, this.#now())
					if (network) network.unknown++
				}
				turn.resolve(null)
			}
		} catch (error) {
			for (const [, { turn }] of batch) turn.reject(error)
		}
	}
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
	// Deleting first moves the entry to the end of the map, so that the first entry is the oldest.
	memory.delete(key)
	memory.set(key, value)
	const [oldest] = memory.keys()
	if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest)
}

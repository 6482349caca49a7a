import { TooManyAttempts } from '../errors.ts'

/** Credentials that one statement looks up. */
const BATCH_SIZE = 500
/** Look-ups that may wait: of all callers, of one network, and of a network that keeps sending unknown credentials. */
const MAX_WAITING = 5000
const MAX_WAITING_OF_NETWORK = 1000
const MAX_WAITING_OF_SUSPECT = 10
/** Different unknown credentials of one network in a minute that make it a suspect. */
const MAX_UNKNOWN = 1000
const WINDOW_MS = 60_000
/** A credential that does not exist is not asked for again in this time: none comes into being with a text that was sent before. */
const UNKNOWN_MS = 5000
const RETRY_SECONDS = 2
/** Entries of each memory; the oldest makes room. */
const MAX_REMEMBERED = 10_000

interface Waiting<Asked, Found> {
	asked: Asked
	/** Null for a credential that was found before, which no limit of its network concerns. */
	network: Network | null
	turn: PromiseWithResolvers<Found | null>
}

interface Network {
	waiting: number
	unknown: number
	windowEndsAt: number
}

export interface LookupWork<Asked, Found> {
	/** Looks up each of these: null for a credential that may not be used now, undefined for one that does not exist. */
	look(asked: Asked[]): Promise<(Found | null | undefined)[]>
	/** Runs once for a credential that was found, before its callers go on. */
	onFound(found: Found, asked: Asked): Promise<void>
}

/**
 * Looks up the credentials of callers, one statement at a time: what comes while it runs waits for the next one, and equal
 * credentials share a place in it. Any number of callers so takes one connection, and each look-up begins after its call came,
 * so that a revoked credential is refused at once.
 *
 * Limits count before the database is asked, and only what is unknown counts against a network: a credential that was found
 * before passes, and a suspect network's new ones still get their turn, a few at a time.
 */
export class CredentialLookups<Asked, Found> {
	readonly #work: LookupWork<Asked, Found>
	readonly #now: () => number
	readonly #waiting = new Map<string, Waiting<Asked, Found>>()
	readonly #known = new Map<string, true>()
	/** When each credential that does not exist was looked up. */
	readonly #unknown = new Map<string, number>()
	readonly #networks = new Map<string, Network>()
	#isRunning = false

	constructor(work: LookupWork<Asked, Found>, now: () => number = () => performance.now()) {
		this.#work = work
		this.#now = now
	}

	/** Returns what the credential named `key` stands for, or null. Throws a 429 where too many look-ups wait. */
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
		if (network.waiting >= limit || this.#waiting.size >= MAX_WAITING) throw new TooManyAttempts(RETRY_SECONDS)
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
	// Written anew, an entry moves to the end: the first one is the oldest.
	memory.delete(key)
	memory.set(key, value)
	const [oldest] = memory.keys()
	if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest)
}

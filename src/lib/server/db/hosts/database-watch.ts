import { connect, type Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { findSchemaDifference } from '../schema/schema.ts'
import { CommitStall, Unreplicated } from './replication.ts'

/** State of the database that its statements do not show: schema, clock, blocked commits and standbys. */
export interface DatabaseWatch {
	/** Returns the reason why this process is not ready, in words for the operator; null when ready. */
	problem(): string | null
	/** Returns true after a newer release has migrated the database. This process then takes no more work. */
	isOutdated(): boolean
	/** Resolves when `isOutdated` becomes true. */
	outdated: Promise<void>
	/** Returns the reason why no connection may be opened, namely that commits are blocked; null otherwise. */
	refusal(): string | null
	/** Returns the database's time: read every second, and advanced by this machine's monotonic clock in between. */
	now(): Date
	/** Returns true when messages may be claimed. */
	mayClaim(): boolean
	/** Returns the wait of the oldest commit for its standby, in seconds. */
	commitWaitSeconds(): number
	/** Returns for how many seconds no standby has confirmed the written data; NaN when not measured. */
	unreplicatedSeconds(): number
	stop(): Promise<void>
}

export interface WatchOptions {
	/** Seconds of unconfirmed writes above which no message is claimed; unlimited when undefined. */
	maxUnreplicatedS?: number | undefined
}

const INTERVAL_MS = 1000
const TIMEOUT_MS = 5000

/** Checks the database every second on its own connection, and logs each problem once. */
export async function watchDatabase(url: string, log: Log, options: WatchOptions = {}): Promise<DatabaseWatch> {
	const watch = new Watch(connect(url, { max: 1, name: 'watch', timeoutMs: TIMEOUT_MS }), log, options)
	await watch.look().catch(async (error: unknown) => {
		await watch.stop()
		throw error
	})
	return watch
}

class Watch implements DatabaseWatch {
	readonly #db: Db
	readonly #log: Log
	readonly #maxUnreplicatedS: number | undefined
	readonly #timer: NodeJS.Timeout
	readonly #commits = new CommitStall()
	readonly #unreplicated = new Unreplicated()
	readonly #outdated = Promise.withResolvers<void>()
	#schemaProblem: string | null = null
	#isOutdated = false
	/** Database time minus `performance.now()`, in milliseconds. */
	#clockOffsetMs = Date.now() - performance.now()
	#looking: Promise<void> | null = null
	/** Kinds of problem that were logged and are not over. */
	readonly #logged = new Set<string>()

	constructor(db: Db, log: Log, { maxUnreplicatedS }: WatchOptions) {
		this.#db = db
		this.#log = log
		this.#maxUnreplicatedS = maxUnreplicatedS
		this.#timer = setInterval(() => {
			// Errors are ignored: statements and /readyz report a server that does not answer.
			this.#looking ??= this.look()
				.catch(() => {})
				.finally(() => (this.#looking = null))
		}, INTERVAL_MS)
	}

	async look(): Promise<void> {
		await this.#readClock()
		const difference = await findSchemaDifference(this.#db)
		this.#schemaProblem = difference?.problem ?? null
		this.#note('this process is not ready any more and takes no more work', this.#schemaProblem)
		if (difference?.isNewer === true) {
			this.#isOutdated = true
			this.#outdated.resolve()
		}
		await this.#commits.look(this.#db)
		this.#note('writing waits, and no more connections are opened', this.#commits.problem())
		if (this.#maxUnreplicatedS === undefined) return
		await this.#unreplicated.look(this.#db)
		this.#note('sending waits', this.#unreplicatedProblem())
	}

	async #readClock(): Promise<void> {
		const [row] = await this.#db<
			{ atMs: number }[]
		>`select extract(epoch from clock_timestamp())::float8 * 1000 as "atMs"`
		if (row) this.#clockOffsetMs = row.atMs - performance.now()
	}

	#note(effect: string, problem: string | null): void {
		if (problem !== null && !this.#logged.has(effect)) {
			this.#logged.add(effect)
			this.#log.error({ problem }, effect)
		}
		if (problem === null && this.#logged.delete(effect)) this.#log.info(`over: ${effect}`)
	}

	#unreplicatedProblem(): string | null {
		return this.#maxUnreplicatedS === undefined ? null : this.#unreplicated.problem(this.#maxUnreplicatedS)
	}

	get outdated(): Promise<void> {
		return this.#outdated.promise
	}

	now = () => new Date(performance.now() + this.#clockOffsetMs)
	isOutdated = () => this.#isOutdated
	problem = () => this.#schemaProblem ?? this.#commits.problem()
	refusal = () => this.#commits.problem()
	mayClaim = () => this.#commits.problem() === null && this.#unreplicatedProblem() === null
	commitWaitSeconds = () => this.#commits.seconds()
	unreplicatedSeconds = () => (this.#maxUnreplicatedS === undefined ? Number.NaN : this.#unreplicated.seconds())

	async stop(): Promise<void> {
		clearInterval(this.#timer)
		await this.#looking
		await this.#db.end()
	}
}

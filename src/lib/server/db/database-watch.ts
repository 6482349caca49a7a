import { connect, type Db } from '../db.ts'
import type { Log } from '../log.ts'
import { CommitStall, Unreplicated } from './replication.ts'
import { findSchemaDifference } from './schema.ts'

/** What a process knows of its database beyond the answers to its statements. */
export interface DatabaseWatch {
	/** Why this process is not ready, for whoever runs it; null when nothing is known to be wrong. */
	problem(): string | null
	/** Whether a newer release has migrated the database. This process then takes no more work, for as long as it lives. */
	isOutdated(): boolean
	/** Resolves when `isOutdated`. */
	outdated: Promise<void>
	/** Why no connection may be opened: each would end up waiting as the others do. Null when they may. */
	refusal(): string | null
	/** Returns the database's time: read every second, and carried on by this machine's steady clock in between. */
	now(): Date
	/** Whether messages may be claimed. */
	mayClaim(): boolean
	/** For how long the oldest commit has been waiting for its standby. */
	commitWaitSeconds(): number
	/** For how long no standby has confirmed what was written; NaN where nobody asked. */
	unreplicatedSeconds(): number
	stop(): Promise<void>
}

export interface WatchOptions {
	/** Messages are claimed only while a standby has confirmed all but the last seconds; for ever where not set. */
	maxUnreplicatedS?: number | undefined
}

const INTERVAL_MS = 1000
const TIMEOUT_MS = 5000

/** Looks at the database every second, on a connection of its own, and logs once what is wrong. */
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
	/** The database's time less that of `performance.now()`, in milliseconds. */
	#clockOffsetMs = Date.now() - performance.now()
	#looking: Promise<void> | null = null
	/** What was logged, by its kind, and is not over yet. */
	readonly #logged = new Set<string>()

	constructor(db: Db, log: Log, { maxUnreplicatedS }: WatchOptions) {
		this.#db = db
		this.#log = log
		this.#maxUnreplicatedS = maxUnreplicatedS
		this.#timer = setInterval(() => {
			// What does not answer is noticed by whoever asks it something, and by /readyz.
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, AccountId, Sql } from '../db.ts'
import { publish, subscribe, type Channel } from '../db/channels/channels.ts'
import type { Listener } from '../db/channels/listener.ts'
import type { Log } from '../log.ts'
import { createSignal } from '../signal.ts'
import * as queries from './jobs-queries.ts'
import type { ClaimedJob } from './jobs-queries.ts'
import { LEASE_SECONDS, type Worker } from './workers.ts'

/** A kind of background job. `Data` is its handler's input, as JSON; `owner` in it is the job's account. */
export interface JobKind<Data extends object> {
	name: string
	/**
	 * Number of runs for a job that fails each time. The pause begins at one second and doubles up to `maxDelaySeconds`.
	 */
	maxAttempts: number
	maxDelaySeconds: number
	/** Concurrent jobs per process. */
	total: number
	/** Concurrent jobs per account and process, for jobs with an account. */
	each: number
	/** Seconds from adding a job to its first run. */
	afterSeconds: number
	/** Never set; carries the type. */
	data?: Data
}

/** Defines a kind of job. The default limits suit mails, which retry for an hour while a mail server is down. */
export function jobKind<Data extends object>(
	name: string,
	limits: Partial<Omit<JobKind<Data>, 'name' | 'data'>> = {},
): JobKind<Data> {
	return { name, maxAttempts: 40, maxDelaySeconds: 120, total: 5, each: 5, afterSeconds: 0, ...limits }
}

export interface JobHandler<Data extends object> {
	kind: JobKind<Data>
	/** Runs one job. Must be idempotent: a job runs again when `run` rejects or its process is killed. */
	run(job: RunningJob<Data>): Promise<void>
}

export interface RunningJob<Data extends object> {
	data: Data
	/** Aborts when this process stops. */
	signal: AbortSignal
	/**
	 * Returns false after another worker has taken the job over, which happens when this one's heartbeats were late. A run
	 * of several steps checks before each step and ends on false.
	 */
	isMine: () => Promise<boolean>
}

/** Thrown by a handler to be run again after `seconds`. */
export class Postponed extends Error {
	readonly seconds: number

	constructor(seconds: number, options?: ErrorOptions) {
		super(`postponed by ${seconds} s`, options)
		this.seconds = seconds
	}
}

const jobsChannel: Channel<string> = { name: 'jobs', encode: (kind) => kind, decode: (text) => text }

/** Adds jobs in the caller's transaction; they exist only after its commit. */
export async function addJobs<Data extends object>(
	sql: Sql,
	kind: JobKind<Data>,
	jobs: readonly Data[],
): Promise<void> {
	if (jobs.length === 0) return
	await queries.insertJobs(sql, { kind: kind.name, jobs, afterSeconds: kind.afterSeconds })
	publish(sql, jobsChannel, kind.name)
}

/** Returns the data of the jobs of a kind that have not ended. */
export async function listJobs<Data extends object>(sql: Sql, kind: JobKind<Data>): Promise<Data[]> {
	return (await queries.listJobs(sql, kind.name)).map(({ data }) => data as Data)
}

/**
 * Polling interval in milliseconds. Finds jobs whose notification was lost, that are due again, or whose process
 * crashed.
 */
const POLL_INTERVAL_MS = 2000
const STOP_WAIT_MS = 5000

export interface JobContext {
	db: Db
	listener: Listener
	log: Log
	worker: Worker
}

/** Binds a kind of job to its handler, independent of its data type. */
export function handlerOf<Data extends object>(kind: JobKind<Data>, run: JobHandler<Data>['run']): JobHandler<object> {
	return { kind, run: (job) => run(job as Parameters<typeof run>[0]) }
}

/** Runs jobs of these kinds in this process; any number of processes share the queue. */
export async function startJobs(
	context: JobContext,
	handlers: JobHandler<object>[],
): Promise<{ stop(): Promise<void> }> {
	const runners = new Map(handlers.map((handler) => [handler.kind.name, new Runner(context, handler)]))
	const unlisten = await subscribe(context.listener, jobsChannel, {
		onPayload: (kind) => runners.get(kind)?.wake(),
		onGap: () => runners.forEach((runner) => runner.wake()),
	})
	return {
		async stop() {
			unlisten()
			await Promise.all(Array.from(runners.values(), (runner) => runner.stop()))
		},
	}
}

/** Claims and runs the jobs of one kind, up to its limits. */
class Runner {
	readonly #context: JobContext
	readonly #handler: JobHandler<object>
	readonly #running = new Map<Promise<void>, ClaimedJob>()
	readonly #signal = createSignal()
	readonly #stopping = new AbortController()
	readonly #claiming: Promise<void>

	constructor(context: JobContext, handler: JobHandler<object>) {
		this.#context = context
		this.#handler = handler
		this.#claiming = this.#claim()
	}

	wake(): void {
		this.#signal.wake()
	}

	/** Aborts the running jobs. Those that do not end within STOP_WAIT_MS are left to the next process. */
	async stop(): Promise<void> {
		this.#stopping.abort()
		this.wake()
		const ended = this.#claiming.then(() => Promise.all(this.#running.keys()))
		await Promise.race([ended, sleep(STOP_WAIT_MS, undefined, { ref: false })])
	}

	async #claim(): Promise<void> {
		const { log } = this.#context
		const { name } = this.#handler.kind
		while (!this.#stopping.signal.aborted) {
			await this.#claimAll().catch((error: unknown) => log.error({ error, job: name }, 'no job could be claimed'))
			await this.#signal.wait(POLL_INTERVAL_MS)
		}
	}

	async #claimAll(): Promise<void> {
		const { db, worker } = this.#context
		const { name: kind, total } = this.#handler.kind
		while (this.#running.size < total && !this.#stopping.signal.aborted && worker.isAlive()) {
			const running = Array.from(this.#running.values(), ({ id }) => id)
			const claim = { kind, worker: worker.id, busy: this.#busy(), running, aliveSeconds: LEASE_SECONDS }
			const job = await queries.claimJob(db, claim)
			if (!job) return
			if (this.#stopping.signal.aborted) return await this.#giveBack(job)
			const run: Promise<void> = this.#run(job).finally(() => {
				this.#running.delete(run)
				this.wake()
			})
			this.#running.set(run, job)
		}
	}

	/** Releases a job claimed while the process began to stop: its handler would wait for an abort that is past. */
	#giveBack({ id, attempts }: ClaimedJob): Promise<void> {
		const { db, worker } = this.#context
		return queries.postponeJob(db, { id, worker: worker.id, attempts, seconds: 0 })
	}

	/** Returns the accounts at their limit of running jobs. */
	#busy(): AccountId[] {
		const counts = new Map<AccountId, number>()
		for (const { accountId } of this.#running.values())
			if (accountId !== null) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
		return [...counts].filter(([, count]) => count >= this.#handler.kind.each).map(([accountId]) => accountId)
	}

	/**
	 * Runs a claimed job and writes its end. Never rejects: a job whose end cannot be written is claimed and run again.
	 */
	async #run({ id, accountId, data, attempts }: ClaimedJob): Promise<void> {
		const { db, log, worker } = this.#context
		const { kind } = this.#handler
		const claimed = { id, worker: worker.id, attempts }
		const signal = this.#stopping.signal
		try {
			const failure = await this.#handler
				.run({ data: data as object, signal, isMine: () => queries.hasClaim(db, claimed) })
				.then(
					() => null,
					(error: unknown) => ({ error }),
				)
			if (!failure) return await queries.deleteJob(db, claimed)
			const { error } = failure
			if (!signal.aborted && attempts >= kind.maxAttempts) {
				log.error({ error, job: kind.name, accountId, attempts }, 'a job failed for the last time')
				return await queries.deleteJob(db, claimed)
			}
			log.warn({ error, job: kind.name, accountId, attempts }, 'a job failed and is tried again')
			await queries.postponeJob(db, { ...claimed, seconds: signal.aborted ? 0 : delayOf(error, { attempts, kind }) })
		} catch (error) {
			log.error({ error, job: kind.name, accountId }, 'the end of a job could not be noted')
		}
	}
}

function delayOf(error: unknown, { attempts, kind }: { attempts: number; kind: JobKind<object> }): number {
	return error instanceof Postponed ? error.seconds : Math.min(2 ** Math.min(attempts - 1, 20), kind.maxDelaySeconds)
}

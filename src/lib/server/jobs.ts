import { PgBoss } from 'pg-boss'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { Sql } from './db.ts'
import type { Log } from './log.ts'

/** A background job: its name and what its data looks like. Handlers must be idempotent. */
export interface JobKind<Data extends object> {
	name: string
	/** Retries of a failed job, and the most seconds between two; by default five retries within half a minute. */
	retry?: { retryLimit: number; retryDelayMax: number }
	/** Never set; carries the type. */
	data?: Data
}

export function jobKind<Data extends object>(name: string, retry?: JobKind<Data>['retry']): JobKind<Data> {
	return { name, ...(retry && { retry }) }
}

export interface Jobs {
	/** Adds a job within the caller's transaction: it exists only if that commits. */
	add<Data extends object>(sql: Sql, kind: JobKind<Data>, job: { data: Data; at?: Date }): Promise<void>
	/** Runs `handle` for each job of this kind, on any one of the processes that asked for it. */
	work<Data extends object>(kind: JobKind<Data>, handle: (data: Data) => Promise<void>): Promise<void>
	/** Runs a job of this kind at each time the cron expression (Indian time) names, once however many processes there are. */
	every(kind: JobKind<object>, cron: string): Promise<void>
	stop(): Promise<void>
}

const queueOptions = {
	heartbeatSeconds: 10,
	expireInSeconds: 300,
	retryLimit: 5,
	retryDelay: 1,
	retryBackoff: true,
	retryDelayMax: 60,
}

// Several jobs at a time, each completed on its own. With batches of one, a worker would wait for the next poll after each job.
const workOptions = {
	pollingIntervalSeconds: 2,
	heartbeatRefreshSeconds: 3,
	batchSize: 5,
	burstWhenBatchFull: true,
	perJobResults: true,
} as const

/** Connects to the job queue in this database, installing its schema when it is not there. */
export async function startJobs(url: string, log: Log): Promise<Jobs> {
	const boss = new PgBoss({ connectionString: url, max: 4, application_name: 'jobs' })
	boss.on('error', (error: unknown) => log.error({ error }, 'job queue'))
	await boss.start()
	const known = new Map<string, Promise<void>>()
	const ensureQueue = ({ name, retry }: JobKind<object>) => {
		const creating = known.get(name) ?? boss.createQueue(name, { ...queueOptions, ...retry })
		known.set(name, creating)
		return creating
	}
	return {
		async add(sql, kind, job) {
			await ensureQueue(kind)
			const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.unsafe(text, values) }) }
			await boss.send(kind.name, job.data, { db, ...(job.at && { startAfter: job.at }) })
		},
		async work(kind, handle) {
			await ensureQueue(kind)
			await boss.work<Parameters<typeof handle>[0], unknown, typeof workOptions>(kind.name, workOptions, (jobs) =>
				Promise.all(
					jobs.map(({ id, data }) =>
						handle(data).then(
							() => ({ id, status: 'completed' as const }),
							(error: unknown) => {
								log.warn({ error, job: kind.name }, 'a job failed and is tried again')
								return { id, status: 'failed' as const, output: { message: String(error) } }
							},
						),
					),
				),
			)
		},
		async every(kind, cron) {
			await ensureQueue(kind)
			await boss.schedule(kind.name, cron, {}, { tz: INDIAN_TIME_ZONE })
		},
		stop: () => boss.stop({ graceful: true, timeout: 5000 }),
	}
}

/** Installs the job queue's tables, so that databases cloned from this one have them. */
export async function prepareJobs(url: string): Promise<void> {
	const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
	await boss.start()
	await boss.stop({ graceful: false })
}

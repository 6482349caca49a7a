import { PgBoss } from 'pg-boss'
import type { Sql } from './db.ts'
import type { Log } from './log.ts'

/** A background job: its name and what its data looks like. Handlers must bear being run twice. */
export interface JobKind<Data extends object> {
	name: string
	/** Never set; carries the type. */
	data?: Data
}

export function jobKind<Data extends object>(name: string): JobKind<Data> {
	return { name }
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
	notify: true,
	heartbeatSeconds: 10,
	expireInSeconds: 300,
	retryLimit: 5,
	retryDelay: 1,
	retryBackoff: true,
	retryDelayMax: 60,
}

/** Connects to the job queue in this database, installing its schema when it is not there. */
export async function startJobs(url: string, log: Log): Promise<Jobs> {
	const boss = new PgBoss({ connectionString: url, max: 4, application_name: 'jobs', useListenNotify: true })
	boss.on('error', (error: unknown) => log.error({ error }, 'job queue'))
	await boss.start()
	const known = new Map<string, Promise<void>>()
	const ensureQueue = (name: string) => {
		const creating = known.get(name) ?? boss.createQueue(name, queueOptions)
		known.set(name, creating)
		return creating
	}
	return {
		async add(sql, kind, job) {
			await ensureQueue(kind.name)
			const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await run(sql, text, values) }) }
			await boss.send(kind.name, job.data, { db, ...(job.at && { startAfter: job.at }) })
		},
		async work(kind, handle) {
			await ensureQueue(kind.name)
			const options = { pollingIntervalSeconds: 2, heartbeatRefreshSeconds: 3 }
			await boss.work<Parameters<typeof handle>[0]>(kind.name, options, async (jobs) => {
				for (const job of jobs) await handle(job.data)
			})
		},
		async every(kind, cron) {
			await ensureQueue(kind.name)
			await boss.schedule(kind.name, cron, {}, { tz: 'Asia/Kolkata' })
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

async function run(sql: Sql, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
	return sql.unsafe(text, values as never[])
}

import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { transaction, type AccountId } from '../db.ts'
import { createListener, type Listener } from '../db/channels/listener.ts'
import { createLog } from '../log.ts'
import { claimJob } from './jobs-queries.ts'
import { addJobs, handlerOf, jobKind, Postponed, startJobs, type JobKind, type RunningJob } from './jobs.ts'
import { LEASE_SECONDS, startWorkerHeartbeat } from './workers.ts'

type Numbered = { number: number; accountId?: AccountId }

const log = createLog('silent')
let database: TestDatabase
let listener: Listener
before(async () => {
	database = await createTestDatabase()
	listener = createListener(database.directUrl, log)
})
after(async () => {
	await listener.close()
	await database.drop()
})

/** Starts a process that runs jobs of this kind. */
async function startProcess(
	t: TestContext,
	kind: JobKind<Numbered>,
	run: (
		number: number,
		job: Omit<RunningJob<Numbered>, 'data'> & { accountId: AccountId | undefined },
	) => Promise<void>,
) {
	const db = database.sql
	const worker = await startWorkerHeartbeat(db, log)
	const handler = handlerOf(kind, ({ data, ...job }) => run(data.number, { ...job, accountId: data.accountId }))
	const jobs = await startJobs({ db, listener, log, worker }, [handler])
	const stop = () => jobs.stop().then(() => worker.stop())
	t.after(stop)
	return { worker, stop }
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => ({ number }))
const waitingOf = async (kind: JobKind<Numbered>) =>
	Number((await database.sql`select count(*)::int as count from jobs where kind = ${kind.name}`)[0]?.count)
const accountId = (id: number) => id as AccountId

test('a job runs once when two processes poll, and is deleted afterwards', async (t) => {
	const kind = jobKind<Numbered>('shared')
	const done: number[] = []
	await Promise.all([0, 1].map(() => startProcess(t, kind, async (number) => void done.push(number))))
	await addJobs(database.sql, kind, numbers(40))
	await until(async () => (await waitingOf(kind)) === 0)
	assert.deepEqual(
		done.toSorted((a, b) => a - b),
		numbers(40).map(({ number }) => number),
	)
})

test('a job added in a rolled back transaction does not run', async (t) => {
	const kind = jobKind<Numbered>('rolled-back')
	const done: number[] = []
	await startProcess(t, kind, async (number) => void done.push(number))
	await assert.rejects(
		transaction(database.sql, async (sql) => {
			await addJobs(sql, kind, [{ number: 1 }])
			throw new Error('rolled back')
		}),
	)
	await addJobs(database.sql, kind, [{ number: 2 }])
	await until(() => done.length > 0)
	assert.deepEqual(done, [2])
})

test('a failed job is retried up to its number of attempts, and after the delay that it requests', async (t) => {
	const kind = jobKind<Numbered>('failing', { maxAttempts: 2, maxDelaySeconds: 0 })
	const runs: number[] = []
	await startProcess(t, kind, async (number) => {
		runs.push(number)
		throw number === 1 ? new Postponed(3600) : new Error('fails')
	})
	await addJobs(database.sql, kind, numbers(2))
	await until(async () => (await waitingOf(kind)) === 1)
	assert.deepEqual(
		runs.toSorted((a, b) => a - b),
		[0, 0, 1],
	)
	const [row] = await database.sql<{ waits: number }[]>`
		select extract(epoch from due_at - now())::float8 as waits from jobs where kind = ${kind.name}
	`
	assert.ok((row?.waits ?? 0) > 3500)
})

test('the jobs of one account use at most its share of the permits', async (t) => {
	const kind = jobKind<Numbered>('fair', { total: 3, each: 2 })
	const running = new Set<AccountId | undefined>()
	let most = 0
	const { promise: end, resolve } = Promise.withResolvers<void>()
	await startProcess(t, kind, async (_, job) => {
		running.add(job.accountId)
		most++
		await end
	})
	await addJobs(database.sql, kind, [
		...numbers(10).map((one) => ({ ...one, accountId: accountId(1) })),
		{ number: 0, accountId: accountId(2) },
	])
	await until(() => running.has(accountId(2)))
	assert.equal(most, 3)
	resolve()
	await until(async () => (await waitingOf(kind)) === 0)
})

test('another process runs the jobs of a process that crashed or stopped', async (t) => {
	const kind = jobKind<Numbered>('left')
	await addJobs(database.sql, kind, numbers(3))
	await database.sql`
		insert into workers (id, heartbeat_at) values ('dead', now() - interval '11 seconds'), ('alive', now() + interval '1 hour')
	`
	await database.sql`update jobs set claimed_by = 'dead' where kind = ${kind.name} and data @> '{"number": 0}'`
	await database.sql`update jobs set claimed_by = 'alive' where kind = ${kind.name} and data @> '{"number": 1}'`
	const first = await startProcess(
		t,
		kind,
		(_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
	)
	await until(async () => {
		const [row] = await database.sql`select count(*)::int as count from jobs where claimed_by = ${first.worker.id}`
		return row?.count === 2
	})
	await first.stop()
	const done: number[] = []
	await startProcess(t, kind, async (number) => void done.push(number))
	await until(async () => (await waitingOf(kind)) === 1)
	assert.deepEqual(
		done.toSorted((a, b) => a - b),
		[0, 2],
	)
})

test('a process runs its own job again when the answer to the claim, or the end of the run, was lost with the connection', async (t) => {
	const kind = jobKind<Numbered>('lost-claim')
	const done: number[] = []
	const { worker } = await startProcess(t, kind, async (number) => void done.push(number))
	await transaction(database.sql, async (sql) => {
		await addJobs(sql, kind, [{ number: 1 }])
		await sql`update jobs set claimed_by = ${worker.id}, attempts = 1 where kind = ${kind.name}`
	})
	await until(async () => (await waitingOf(kind)) === 0)
	assert.deepEqual(done, [1])
})

test('a job claimed while its process stops does not run there, and is free for another process', async (t) => {
	const kind = jobKind<Numbered>('claimed-while-stopping')
	const runs: number[] = []
	await transaction(database.sql, async (sql) => {
		await sql`lock table jobs in exclusive mode`
		await addJobs(sql, kind, [{ number: 1 }])
		const { stop } = await startProcess(t, kind, (number, { signal }) => {
			runs.push(number)
			return new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
		})
		await until(async () => {
			const [row] = await database.sql`
				select exists (select 1 from pg_locks where relation = 'jobs'::regclass and not granted) as waits
			`
			return row?.waits === true
		})
		void stop()
	})
	await until(async () => {
		const [row] = await database.sql`select attempts, claimed_by from jobs where kind = ${kind.name}`
		return row?.attempts === 1 && row.claimed_by === null
	})
	assert.deepEqual(runs, [])
})

/** Ages a worker's heartbeat, so that the database counts it as dead until the next one, as after a clock change. */
const age = (worker: string) =>
	database.sql`update workers set heartbeat_at = now() - interval '11 seconds' where id = ${worker}`

test('a process with an expired heartbeat claims neither the job that it runs nor another', async (t) => {
	const kind = jobKind<Numbered>('stale-worker')
	const runs: number[] = []
	const { promise: end, resolve } = Promise.withResolvers<void>()
	const { worker } = await startProcess(t, kind, async (number) => {
		runs.push(number)
		await end
	})
	await addJobs(database.sql, kind, [{ number: 1 }])
	await until(() => runs.length === 1)
	await age(worker.id)
	const running = await database.sql<{ id: number }[]>`select id from jobs where kind = ${kind.name}`
	const claim = {
		kind: kind.name,
		worker: worker.id,
		busy: [],
		running: running.map(({ id }) => id),
		aliveSeconds: LEASE_SECONDS,
	}
	await addJobs(database.sql, jobKind<Numbered>('stale-other'), [{ number: 2 }])
	assert.equal(await claimJob(database.sql, { ...claim, kind: 'stale-other' }), undefined)
	await until(async () => {
		const [row] =
			await database.sql`select heartbeat_at > now() - interval '10 seconds' as alive from workers where id = ${worker.id}`
		return row?.alive === true
	})
	assert.equal(await claimJob(database.sql, claim), undefined)
	assert.ok(await claimJob(database.sql, { ...claim, kind: 'stale-other' }))
	resolve()
	await until(async () => (await waitingOf(kind)) === 0)
	assert.deepEqual(runs, [1])
})

test('isMine returns false after another process took the job over, and the end of the first run leaves the job to the other', async (t) => {
	const kind = jobKind<Numbered>('taken-over')
	const asked: boolean[] = []
	const ends: (() => void)[] = []
	const run = async (_: number, { isMine }: { isMine: () => Promise<boolean> }) => {
		await new Promise<void>((resolve) => ends.push(resolve))
		asked.push(await isMine())
	}
	const first = await startProcess(t, kind, run)
	await addJobs(database.sql, kind, [{ number: 1 }])
	await until(() => ends.length === 1)
	const second = await startProcess(t, kind, run)
	await until(async () => {
		await age(first.worker.id)
		return ends.length === 2
	})
	ends[0]?.()
	await until(() => asked.length === 1)
	const [row] = await database.sql`select claimed_by from jobs where kind = ${kind.name}`
	assert.equal(row?.claimed_by, second.worker.id)
	ends[1]?.()
	await until(async () => (await waitingOf(kind)) === 0)
	assert.deepEqual(asked, [false, true])
})

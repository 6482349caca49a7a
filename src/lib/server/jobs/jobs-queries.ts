import type { AccountId, Sql } from '../db.ts'

export interface ClaimedJob {
	id: number
	accountId: AccountId | null
	data: unknown
	/** Number of runs, including this one. */
	attempts: number
}

/**
 * Adds jobs. Their data contains the account as `owner`, which the preceding release reads; `claimJob` returns it as
 * `accountId`. Where a unique index allows one job of a kind with the same data, existing jobs stay unchanged.
 */
export async function insertJobs(
	sql: Sql,
	{ kind, jobs, afterSeconds }: { kind: string; jobs: readonly object[]; afterSeconds: number },
): Promise<void> {
	await sql`
		insert into jobs (kind, owner_id, data, due_at)
		select ${kind}, (value ->> 'accountId')::bigint,
			case
				when value ? 'accountId' then value - 'accountId' || jsonb_build_object('owner', value -> 'accountId')
				else value
			end,
			now() + make_interval(secs => ${afterSeconds})
		from jsonb_array_elements(${JSON.stringify(jobs)}::jsonb)
		on conflict do nothing
	`
}

const dataOf = (sql: Sql) =>
	sql`case when j.owner_id is null then j.data else j.data || jsonb_build_object('accountId', j.owner_id) end`

export async function listJobs(sql: Sql, kind: string): Promise<{ data: unknown }[]> {
	return sql<{ data: unknown }[]>`select ${dataOf(sql)} as data from jobs j where j.kind = ${kind}`
}

/**
 * Claims the job that is due longest, of an account outside `busy`; returns undefined when none can be claimed. A claim
 * holds while its worker lives: jobs of a worker without heartbeats are free. A worker that the database counts as dead
 * claims nothing. A worker claims its own jobs again unless they are in `running`: the answer to their claim, or their end, was
 * lost with a connection. The living workers are passed as an array, since PostgreSQL would not reread a joined table when another
 * process claims the same row concurrently.
 */
export async function claimJob(
	sql: Sql,
	{ kind, worker, busy, running, aliveSeconds }: ClaimRequest,
): Promise<ClaimedJob | undefined> {
	const alive = sql`array(select id from workers where heartbeat_at > now() - make_interval(secs => ${aliveSeconds}))`
	const [job] = await sql<ClaimedJob[]>`
		with due as materialized (
			select j.id from jobs j
			where j.kind = ${kind} and j.due_at <= now() and (j.owner_id is null or j.owner_id <> all(${busy}::bigint[]))
				and ${worker} = any(${alive}) and j.id <> all(${running}::bigint[])
				and (j.claimed_by is null or j.claimed_by = ${worker} or j.claimed_by <> all(${alive}))
			order by j.due_at, j.id
			limit 1
			for update of j skip locked
		)
		update jobs j set claimed_by = ${worker}, attempts = j.attempts + 1
		from due d
		where j.id = d.id
		returning j.id, j.owner_id as "accountId", ${dataOf(sql)} as data, j.attempts
	`
	return job
}

interface ClaimRequest {
	kind: string
	worker: string
	/** Accounts at their limit of running jobs. */
	busy: AccountId[]
	/** Jobs that this process still runs, including those that another worker has taken over. */
	running: number[]
	aliveSeconds: number
}

/** Identifies one claim of a job. Another worker's or a later claim has a higher `attempts`. */
export interface JobClaim {
	id: number
	worker: string
	attempts: number
}

const holds = (sql: Sql, { id, worker, attempts }: JobClaim) =>
	sql`id = ${id} and claimed_by = ${worker} and attempts = ${attempts}`

/** Returns true while the claim holds; false after another worker has taken the job over. */
export async function hasClaim(sql: Sql, claim: JobClaim): Promise<boolean> {
	return (await sql`select 1 from jobs where ${holds(sql, claim)}`).length > 0
}

export async function deleteJob(sql: Sql, claim: JobClaim): Promise<void> {
	await sql`delete from jobs where ${holds(sql, claim)}`
}

/** Releases a job for another run after `seconds`. */
export async function postponeJob(sql: Sql, { seconds, ...claim }: JobClaim & { seconds: number }): Promise<void> {
	await sql`
		update jobs set claimed_by = null, due_at = now() + make_interval(secs => ${seconds}) where ${holds(sql, claim)}
	`
}

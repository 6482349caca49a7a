import type { OwnerId, Sql } from './db.ts'

export interface ClaimedJob {
	id: number
	owner: OwnerId | null
	data: unknown
	/** This one included. */
	attempts: number
}

/** Where an index allows for one job of a kind with the same data, those that are there already are left as they are. */
export async function insertJobs(
	sql: Sql,
	{ kind, jobs, afterSeconds }: { kind: string; jobs: readonly object[]; afterSeconds: number },
): Promise<void> {
	await sql`
		insert into jobs (kind, owner_id, data, due_at)
		select ${kind}, (value ->> 'owner')::bigint, value, now() + make_interval(secs => ${afterSeconds})
		from jsonb_array_elements(${JSON.stringify(jobs)}::jsonb)
		on conflict do nothing
	`
}

/**
 * Claims the job that has been due for longest, of an account that is not among `busy`. A claim holds while its worker lives:
 * what one that was killed had claimed is free as soon as its heartbeats are missed. Who lives is asked for as an array: a
 * joined table would not be read again when another process claims the same row at this moment.
 */
export async function claimJob(
	sql: Sql,
	{ kind, worker, busy, aliveSeconds }: { kind: string; worker: string; busy: OwnerId[]; aliveSeconds: number },
): Promise<ClaimedJob | undefined> {
	const [job] = await sql<ClaimedJob[]>`
		with due as materialized (
			select j.id from jobs j
			where j.kind = ${kind} and j.due_at <= now() and (j.owner_id is null or j.owner_id <> all(${busy}::bigint[]))
				and (j.claimed_by is null or j.claimed_by <> all(array(
					select id from workers where heartbeat_at > now() - make_interval(secs => ${aliveSeconds})
				)))
			order by j.due_at, j.id
			limit 1
			for update of j skip locked
		)
		update jobs j set claimed_by = ${worker}, attempts = j.attempts + 1
		from due d
		where j.id = d.id
		returning j.id, j.owner_id as owner, j.data, j.attempts
	`
	return job
}

export async function deleteJob(sql: Sql, { id, worker }: { id: number; worker: string }): Promise<void> {
	await sql`delete from jobs where id = ${id} and claimed_by = ${worker}`
}

/** Gives a job back, to be run again after so many seconds. */
export async function postponeJob(
	sql: Sql,
	{ id, worker, seconds }: { id: number; worker: string; seconds: number },
): Promise<void> {
	await sql`
		update jobs set claimed_by = null, due_at = now() + make_interval(secs => ${seconds})
		where id = ${id} and claimed_by = ${worker}
	`
}

import type { Db, Sql } from '../db.ts'
import type { Log } from '../log.ts'

export interface Replication {
	/** Standbys that are connected. */
	standbys: number
	/** Of these, how many a commit waits for. */
	synchronous: number
	/** How many bytes the standby that is furthest behind has not yet written; null where the role may not see it. */
	lagBytes: number | null
}

/** Of the server itself. A role without pg_monitor is told only how many standbys there are. */
export async function getReplication(sql: Sql): Promise<Replication> {
	const [row] = await sql<[Replication]>`
		select count(*) as standbys, count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous,
			case when count(*) = 0 then 0
				when not pg_is_in_recovery() then max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn))::float8 end as "lagBytes"
		from pg_stat_replication
	`
	return row
}

/**
 * Warns when an acknowledged commit may be lost. A claim that is lost with it would be made again after a crash or a failover,
 * and its messages would be sent twice.
 */
export async function warnOfLossyCommits(db: Db, log: Log): Promise<void> {
	const [row] = await db<{ commit: string; isSynchronous: boolean; standbys: number }[]>`
		select current_setting('synchronous_commit') as commit,
			current_setting('synchronous_standby_names') <> '' as "isSynchronous",
			(select count(*) from pg_stat_replication) as standbys
	`
	if (!row) return
	if (row.commit === 'off') {
		log.warn('synchronous_commit is off: a crash of PostgreSQL may lose claims, and messages would be sent twice')
	}
	if (row.standbys > 0 && (!row.isSynchronous || row.commit === 'local')) {
		log.warn('the standby is not synchronous: a failover to it may lose claims, and messages would be sent twice')
	}
}

/** A commit is slow for so long before anybody calls it waiting: standbys restart, networks pause. */
const STALL_MS = 3000

/** Finds commits that wait for a synchronous standby which does not answer. Nothing that writes ends then. */
export class CommitStall {
	/** When each was seen first, by its process and the time of its statement. */
	#seen = new Map<string, number>()
	#standbys = ''

	async look(sql: Sql): Promise<void> {
		const waiting = await sql<{ commit: string; standbys: string }[]>`
			select pid || ' ' || coalesce(query_start::text, '') as commit,
				current_setting('synchronous_standby_names') as standbys
			from pg_stat_activity where wait_event = 'SyncRep'
		`
		const nowMs = performance.now()
		this.#standbys = waiting[0]?.standbys ?? this.#standbys
		this.#seen = new Map(waiting.map(({ commit }) => [commit, this.#seen.get(commit) ?? nowMs]))
	}

	/** For how long the oldest has been waiting; 0 when none does. */
	seconds(): number {
		const oldest = Math.min(...this.#seen.values())
		return oldest === Infinity ? 0 : (performance.now() - oldest) / 1000
	}

	/** For whoever runs the product; null while commits end. */
	problem(): string | null {
		if (this.seconds() * 1000 < STALL_MS) return null
		return `Commits wait for a synchronous standby that does not answer (synchronous_standby_names is "${this.#standbys}"): start that standby, or take it out of synchronous_standby_names`
	}
}

interface Position {
	atMs: number
	/** Bytes of WAL written until then. */
	written: number
}

/** Finds for how long no standby has confirmed what was written: so much would be lost by a failover. */
export class Unreplicated {
	/** Not confirmed yet; the oldest first. */
	#positions: Position[] = []
	#mayNotSee = false

	async look(sql: Sql): Promise<void> {
		const [row] = await sql<{ written: number; confirmed: number | null; mayNotSee: boolean }[]>`
			select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as written,
				(select max(pg_wal_lsn_diff(flush_lsn, '0/0'))::float8 from pg_stat_replication where state = 'streaming') as confirmed,
				exists (select from pg_stat_replication where state is null) as "mayNotSee"
		`
		if (!row) return
		this.#mayNotSee = row.mayNotSee
		this.#positions.push({ atMs: performance.now(), written: row.written })
		// Without a standby even what is equal is not confirmed: nobody would take over.
		this.#positions = this.#positions.filter(({ written }) => row.confirmed === null || written > row.confirmed)
		// While a standby is away for hours, the oldest position says all there is to know.
		if (this.#positions.length > MAX_POSITIONS) this.#positions.splice(1, 1)
	}

	seconds(): number {
		const [oldest] = this.#positions
		return oldest ? (performance.now() - oldest.atMs) / 1000 : 0
	}

	/** For whoever runs the product; null while a standby keeps up. */
	problem(maxSeconds: number): string | null {
		if (this.seconds() <= maxSeconds) return null
		if (this.#mayNotSee)
			return 'MAX_UNREPLICATED_S is set, and the user of DATABASE_URL may not see its standbys: grant pg_monitor to it'
		return `No standby has confirmed what was written in the last ${maxSeconds} s: nothing is sent until one has (MAX_UNREPLICATED_S)`
	}
}

const MAX_POSITIONS = 1000

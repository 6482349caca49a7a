import type { Db, Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'

export interface Replication {
	/** Number of connected standbys. */
	standbys: number
	/** Number of connected standbys that a commit waits for. */
	synchronous: number
	/**
	 * Bytes that the slowest standby has not written yet; 0 without a standby. Null when the role may not read the
	 * positions, or when the server is itself a standby.
	 */
	lagBytes: number | null
}

/** Returns the server's replication state. A role without pg_monitor sees only the number of standbys. */
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
 * Warns when an acknowledged commit may be lost. After a failover without a claim's commit, the claim would be repeated
 * and its messages sent twice.
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

/** Milliseconds after which a commit counts as stalled. Standby restarts and network pauses take less. */
const STALL_MS = 3000

/** Detects commits that wait for a synchronous standby that does not answer. While it is away, no write finishes. */
export class CommitStall {
	/** Time of the first sight of each waiting commit, by process id and start of its statement. */
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

	/** Returns the wait of the oldest commit in seconds; 0 without one. */
	seconds(): number {
		const oldest = Math.min(...this.#seen.values())
		return oldest === Infinity ? 0 : (performance.now() - oldest) / 1000
	}

	/** Returns the problem in words for the operator; null while commits finish. */
	problem(): string | null {
		if (this.seconds() * 1000 < STALL_MS) return null
		return `Commits wait for a synchronous standby that does not answer (synchronous_standby_names is "${this.#standbys}"): start that standby, or take it out of synchronous_standby_names`
	}
}

interface Position {
	atMs: number
	/** Bytes of WAL that the server had written at `atMs`. */
	written: number
}

/** Measures for how long no standby has confirmed the written data, which a failover would lose. */
export class Unreplicated {
	/** Unconfirmed positions, oldest first. */
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
		// Without a standby even an equal position is unconfirmed, since no server could take over.
		this.#positions = this.#positions.filter(({ written }) => row.confirmed === null || written > row.confirmed)
		// While a standby is away for hours, the oldest position is enough.
		if (this.#positions.length > MAX_POSITIONS) this.#positions.splice(1, 1)
	}

	seconds(): number {
		const [oldest] = this.#positions
		return oldest ? (performance.now() - oldest.atMs) / 1000 : 0
	}

	/** Returns the problem in words for the operator; null while a standby keeps up. */
	problem(maxSeconds: number): string | null {
		if (this.seconds() <= maxSeconds) return null
		if (this.#mayNotSee)
			return 'MAX_UNREPLICATED_S is set, and the user of DATABASE_URL may not see its standbys: grant pg_monitor to it'
		return `No standby has confirmed what was written in the last ${maxSeconds} s: nothing is sent until one has (MAX_UNREPLICATED_S)`
	}
}

const MAX_POSITIONS = 1000

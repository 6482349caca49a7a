import type { Db, Sql } from './db.ts'
import type { Log } from './log.ts'

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

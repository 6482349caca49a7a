import type { Db } from './db.ts'
import type { Log } from './log.ts'

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

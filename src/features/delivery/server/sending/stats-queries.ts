import type { Sql } from '#lib/server/db.ts'
import { KEEPS_QUIET, quietUntilAllAccounts } from '../sending-rules-queries.ts'

export interface QueueStats {
	/** Number of unclaimed messages of campaigns that are being sent and do not wait in quiet hours. */
	waiting: number
	/** Number of messages of unknown outcome. */
	unknown: number
	/** Delay in seconds of the campaign that should have opened first. */
	openingDelaySeconds: number
	/** Age in seconds of the oldest inbound webhook that waits to be processed. */
	deliveryAgeSeconds: number
	/** Number of dead letters. */
	deadLetters: number
	/** Number of status updates of unknown phone numbers since the count began. */
	droppedStatuses: number
	/** Number of changes of known kinds that the product does not need, since the count began. */
	ignoredChanges: number
}

export async function getQueueStatsAllAccounts(sql: Sql): Promise<QueueStats> {
	const [row] = await sql<QueueStats[]>`
		select
			(
				select coalesce(sum(total_count - claimed_through), 0)
				from campaigns where finished_at is null and status = 'processing'
					and not (${KEEPS_QUIET} and ${quietUntilAllAccounts(sql, sql`campaigns.account_id`)} is not null)
			) as waiting,
			(select count(*) from unsettled_messages where unknown_since is not null) as unknown,
			(
				select coalesce(extract(epoch from greatest(now() - min(opens_at), interval '0')), 0)::float8
				from campaigns where status = 'pending'
			) as "openingDelaySeconds",
			(
				select coalesce(extract(epoch from now() - min(received_at)), 0)::float8
				from webhook_deliveries where kept_because is null
			) as "deliveryAgeSeconds",
			(select count(*) from webhook_deliveries where kept_because is not null) as "deadLetters",
			(select coalesce(sum(dropped_count), 0)::float8 from webhook_totals) as "droppedStatuses",
			(select coalesce(sum(ignored_count), 0)::float8 from webhook_totals) as "ignoredChanges"
	`
	if (!row) throw new Error('The queues could not be counted')
	return row
}

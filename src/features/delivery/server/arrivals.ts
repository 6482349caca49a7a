import { verbatim } from '#lib/server/statement.ts'

/** A message whose arrival has become known, or known to be earlier. */
export interface Arrival {
	campaignId: number
	seq: number
	at: Date
}

/** A recipient of a campaign, and when they did something; null when they did not. */
export interface Reply<Time = Date | null> {
	campaignId: number
	seq: number
	at: Time
}

/**
 * When a message arrived, of `campaign_messages m`; null before. Statuses from before the column was added have left the time of
 * the last of them alone.
 */
export const ARRIVED_AT = verbatim(
	`coalesce(m.arrived_at, case when m.status in ('delivered', 'read') then m.status_at end)`,
)

/** A condition on `campaigns c`: what its recipients write may be a reply to it. */
export const HAS_REPLIES = verbatim(`c.kind in ('campaign', 'api')`)

/**
 * How many messages of `campaigns` are still arriving: those without a report of delivery, while it is sent and until 24 hours after
 * its start and its end.
 */
export const ARRIVING = verbatim(
	`case when status = 'processing' then pending_count + sent_count
		when greatest(started_at, finished_at) > now() - interval '24 hours' then sent_count else 0 end`,
)

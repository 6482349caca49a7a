import { verbatim } from '#lib/server/statement.ts'

/** The arrival of a message: newly known, or earlier than known before. */
export interface Arrival {
	campaignId: number
	seq: number
	at: Date
}

/** A recipient of a campaign with the time of their action; null without one. */
export interface Reply<Time = Date | null> {
	campaignId: number
	seq: number
	at: Time
}

/**
 * The arrival time of `campaign_messages m`; null before the arrival. Rows older than the column fall back to the time of their
 * last status.
 */
export const ARRIVED_AT = verbatim(
	`coalesce(m.arrived_at, case when m.status in ('delivered', 'read') then m.status_at end)`,
)

/** The condition on `campaigns c` whose recipients' messages can be replies. */
export const HAS_REPLIES = verbatim(`c.kind in ('campaign', 'api')`)

/**
 * The number of messages of `campaigns` that are still arriving: not reported as delivered, while the campaign is sent and for
 * 24 hours after its start and its end.
 */
export const ARRIVING = verbatim(
	`case when status = 'processing' then pending_count + sent_count
		when greatest(started_at, finished_at) > now() - interval '24 hours' then sent_count else 0 end`,
)

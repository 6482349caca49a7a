import { verbatim } from '#lib/server/statement.ts'

/** The condition on `campaigns` for lists and reports: a campaign of kind `chat` is shown only in its chat. */
export const IS_SHOWN = verbatim(`kind <> 'chat'`)

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
 * The number of messages of `campaigns` that may still arrive: pending and sent ones while the campaign is processing,
 * sent ones until 24 hours after its start or its end, whichever is later, and 0 afterwards.
 */
export const ARRIVING = verbatim(
	`case when status = 'processing' then pending_count + sent_count
		when greatest(started_at, finished_at) > now() - interval '24 hours' then sent_count else 0 end`,
)

/**
 * The condition on `campaigns` that no message was sent. `started_at` alone does not suffice: after a restore, status
 * updates can show that messages were sent after the backup.
 */
export const HAS_NOT_BEGUN = verbatim('(started_at is null and claimed_through = 0 and pending_count = total_count)')

/**
 * The condition on `template_routes r`: neither endpoint takes the template at present. A wait lasts ten minutes. A worker
 * of an earlier release can overwrite a wait with a choice for a month without removing the mark of the wait, so a row that
 * ends more than 15 minutes from now is no wait.
 */
export const IS_WAITING = verbatim(
	`coalesce(r.is_waiting and r.until > now() and r.until < now() + interval '15 minutes', false)`,
)

/** Paise that a row of `campaigns` holds: the prices of its pending messages. */
export const HELD_PAISE = verbatim('(pending_count::bigint * price_paise + pending_extra_paise)')

/**
 * Paise that a row of `campaigns` costs: the prices of its accepted messages except waived ones. Charges of failed messages,
 * whose refund waits or was refused, come on top.
 */
export const CHARGED_PAISE = verbatim(
	'((sent_count + delivered_count + read_count - waived_count)::bigint * price_paise + charged_extra_paise)',
)

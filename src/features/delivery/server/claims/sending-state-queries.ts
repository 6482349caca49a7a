import { isInUse } from '#features/auth/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { LIMIT_WAIT_MS, PARKED_AT } from '../limits/waiting-queries.ts'
import { KEEPS_QUIET, quietUntilAllAccounts } from '../sending-rules-queries.ts'
import { routeFacts, type RouteFacts, type TemplateKey } from '../template-route/template-route-queries.ts'

/** A campaign that is being sent. */
export interface SendingCampaign {
	id: number
	/**
	 * A campaign of one message (test, chat template, API). Claimed first. An error that would pause a normal campaign
	 * fails it.
	 */
	isSingle: boolean
	hasFresh: boolean
	retryInMs: number | null
	/** Milliseconds until messages that wait for WhatsApp's limit are tried again; null when none wait. */
	waitInMs: number | null
	/** The key of its template. */
	template: TemplateKey
	/** Meta's media id of the header's file, which is uploaded again if the sender's number changes. */
	mediaId: string | null
}

/** The work of a sender, its oldest campaign first. `version` changes with its credentials. */
export interface SendingState {
	version: Date
	stoppedReason: string | null
	messagesPerSecond: number
	/** True when the number of people whom the sender may reach in a day is limited. */
	isLimited: boolean
	campaigns: SendingCampaign[]
	route: RouteFacts
}

/**
 * Returns the sender and its processing campaigns, without those that wait in quiet hours; undefined for an account
 * without a sender. A deactivated account has no campaigns here. `templates` are the names whose categories are read.
 */
export async function findSendingState(
	sql: Sql,
	accountId: AccountId,
	templates: readonly string[] = [],
): Promise<SendingState | undefined> {
	const [row] = await sql<SendingState[]>`
		select s.updated_at as version, s.stopped_reason as "stoppedReason", s.messages_per_second as "messagesPerSecond",
			coalesce(s.messaging_limit >= 0, false) as "isLimited",
			coalesce((
				select jsonb_agg(
					jsonb_build_object(
						'id', c.id, 'isSingle', c.kind <> 'campaign', 'hasFresh', c.claimed_through < least(c.total_count, c.files_through), 'mediaId', c.media_id,
						'template', jsonb_build_object('name', c.template ->> 'name', 'language', c.template ->> 'language'),
						'waitInMs', ${LIMIT_WAIT_MS},
						'retryInMs', (
							select extract(epoch from min(u.retry_at) - now()) * 1000
							from unsettled_messages u
							where u.account_id = ${accountId} and u.campaign_id = c.id and u.retry_at < ${PARKED_AT}
						)
					) order by c.id
				)
				from campaigns c
				where c.account_id = ${accountId} and c.finished_at is null and c.status = 'processing'
					and ${isInUse(sql, sql`${accountId}::bigint`)}
					and not (${KEEPS_QUIET} and ${quietUntilAllAccounts(sql, sql`${accountId}::bigint`)} is not null)
			), '[]') as campaigns,
			${routeFacts(sql, accountId, templates)} as route
		from senders s
		where s.account_id = ${accountId}
	`
	return row
}

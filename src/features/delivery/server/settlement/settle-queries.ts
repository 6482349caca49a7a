import { type StatusCounts, CAMPAIGN_TRANSITIONS, type CampaignKind } from '#features/delivery/rules.ts'
import { LONGEST_PREFIX } from '#features/pricing/markets.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { ARRIVED_AT } from '../conditions.ts'
import { lowestId } from '../months/month.ts'
import type { ChangedMessage, MessageUpdate, StoredMessage } from './message-changes.ts'

interface LockedMessage extends StoredMessage {
	lockedAtMs: number
	number: string | null
}

/**
 * Locks the messages of the updates in the order of their key: two batches about the same messages wait instead of deadlocking.
 * Deletes their retry and unknown rows, which are looked up only if the account has any. A message with two updates is returned
 * twice. Returns the stored messages, the database's time in milliseconds, and the numbers only if programs receive events
 * about them. `recipient` is the first RECIPIENT_LENGTH characters of the number.
 */
export async function lockMessages(
	sql: Sql,
	accountId: AccountId,
	updates: readonly MessageUpdate[],
): Promise<LockedMessage[]> {
	// Only updates with pricing or an arrival change the usage and need the category; answers to sends do not.
	const isCounted = updates.some(({ status, pricing }) => pricing || status === 'delivered' || status === 'read')
	const campaignIds = isCounted ? [...new Set(updates.map(({ campaignId }) => campaignId))] : []
	return sql<LockedMessage[]>`
		with reported as (
			select campaign_id, seq
			from unnest(
				${updates.map((u) => u.campaignId)}::bigint[], ${updates.map((u) => u.seq)}::integer[]
			) as n (campaign_id, seq)
		), categories as materialized (
			select id, coalesce(template ->> 'category', '') as category, passes_on_free from campaigns
			where account_id = ${accountId} and id = any(${campaignIds}::bigint[])
		), locked as materialized (
			select m.campaign_id, m.seq, m.status, m.error_code, m.sent_at, m.price_paise, m.is_free, ${ARRIVED_AT} as arrived_at, m.usage,
				left(m.number, ${RECIPIENT_LENGTH}) as recipient,
				case when exists (
					select 1 from webhook_addresses
					where account_id = ${accountId} and switched_off_at is null and not is_full
				) then m.number end as number
			from campaign_messages m
			join reported n on m.campaign_id = n.campaign_id and m.seq = n.seq
			where m.account_id = ${accountId} and m.campaign_id >= ${lowestId(updates)}::bigint
			order by m.campaign_id, m.seq
			for update of m
		), settled as (
			delete from unsettled_messages u using locked l
			where u.account_id = ${accountId} and u.campaign_id = l.campaign_id and u.seq = l.seq
				and exists (select 1 from unsettled_messages where account_id = ${accountId})
		)
		select l.campaign_id as "campaignId", l.seq, l.status, l.error_code as "errorCode", l.sent_at as "sentAt", l.price_paise as "pricePaise",
			l.is_free as "isFree", coalesce(c.passes_on_free, false) as "passesOnFree", l.arrived_at as "arrivedAt", l.usage, l.recipient, coalesce(c.category, '') as category, l.number,
			(extract(epoch from now()) * 1000)::float8 as "lockedAtMs"
		from locked l
		left join categories c on c.id = l.campaign_id
	`
}

/** Number of leading characters of a number that show its market, or that the recipient is erased. */
const RECIPIENT_LENGTH = Math.max(LONGEST_PREFIX, ERASED_PREFIX.length)

/** Returns the values, or an empty array if all are null: `unnest` fills shorter arrays with nulls. */
function sparse<T>(values: (T | null)[]): (T | null)[] {
	return values.some((value) => value !== null) ? values : []
}

const pricesOf = (messages: readonly StoredMessage[]) => sparse(messages.map((m) => m.pricePaise))
const freeOf = (messages: readonly StoredMessage[]) =>
	sparse(messages.map((m) => (m.isFree === null ? null : String(m.isFree))))

/**
 * Writes the new state of locked messages. An erased recipient's message gets no wamid, because a wamid contains the number.
 */
export async function writeMessages(
	sql: Sql,
	accountId: AccountId,
	messages: readonly ChangedMessage[],
): Promise<void> {
	await sql`
		update campaign_messages m
		set status = n.status, status_at = to_timestamp(n.status_ms / 1000), sent_at = to_timestamp(n.sent_ms / 1000),
			arrived_at = to_timestamp(n.arrived_ms / 1000),
			wamid = case when starts_with(m.number, ${ERASED_PREFIX}) then m.wamid else coalesce(n.wamid, m.wamid) end,
			held_for_quality = coalesce(n.is_in_quality_check, false), error_code = n.error_code,
			error = n.error, usage = n.usage, price_paise = n.price_paise, is_free = n.is_free
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.status)}::text[]::message_status[],
			${messages.map((m) => m.statusAt.getTime())}::float8[],
			${messages.map((m) => m.sentAt?.getTime() ?? null)}::float8[],
			${sparse(messages.map((m) => m.wamid))}::text[], ${sparse(messages.map((m) => m.errorCode))}::integer[],
			${sparse(messages.map((m) => m.error))}::text[],
			${sparse(messages.map((m) => (m.isInQualityCheck ? 'true' : null)))}::text[]::boolean[],
			${sparse(messages.map((m) => m.arrivedAt?.getTime() ?? null))}::float8[],
			${sparse(messages.map((m) => m.usage))}::text[], ${pricesOf(messages)}::integer[], ${freeOf(messages)}::text[]::boolean[]
		) as n (
			campaign_id, seq, status, status_ms, sent_ms, wamid, error_code, error, is_in_quality_check, arrived_ms, usage, price_paise, is_free
		)
		where m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.seq = n.seq
			and m.campaign_id >= ${lowestId(messages)}::bigint
	`
}

/** Writes the arrivals, usages and prices of locked messages whose status stays. */
export async function writeAdditions(
	sql: Sql,
	accountId: AccountId,
	messages: readonly StoredMessage[],
): Promise<void> {
	await sql`
		update campaign_messages m
		set arrived_at = to_timestamp(n.arrived_ms / 1000), usage = n.usage, price_paise = n.price_paise, is_free = n.is_free
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${sparse(messages.map((m) => m.arrivedAt?.getTime() ?? null))}::float8[],
			${sparse(messages.map((m) => m.usage))}::text[], ${pricesOf(messages)}::integer[], ${freeOf(messages)}::text[]::boolean[]
		) as n (campaign_id, seq, arrived_ms, usage, price_paise, is_free)
		where m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.seq = n.seq
			and m.campaign_id >= ${lowestId(messages)}::bigint
	`
}

/** The change of one campaign's counters. */
export interface CounterChange extends StatusCounts {
	campaignId: number
	/** Change of the pending messages with a price of their own. */
	ownPending: OwnPrices
	/** Change of the charged messages with a price of their own. */
	ownCharged: OwnPrices
	/** Number of messages accepted on each endpoint, of those that are counted by endpoint. */
	byMarketingRoute: number
	byOrdinaryRoute: number
}

/** A number of messages with a price of their own, and the sum of these prices. */
export interface OwnPrices {
	count: number
	paise: number
}

export interface CountedCampaign {
	id: number
	name: string
	kind: CampaignKind
	/** Set for a campaign whose messages may have references. */
	hasReferences: boolean
	pricePaise: number
	waivedCount: number
	/** Set if this change completed the campaign. */
	completed: boolean
}

/**
 * Moves the counters of campaigns. A campaign whose last pending message is settled becomes completed. Locks the campaigns
 * in the order of their ids. `at` is the database's time: a distributed table refuses `now()` inside `case` and `coalesce`.
 */
export async function countCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ changes, at }: { changes: readonly CounterChange[]; at: Date },
): Promise<CountedCampaign[]> {
	const { complete } = CAMPAIGN_TRANSITIONS
	return sql<CountedCampaign[]>`
		with changes as (
			select * from unnest(
				${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.pending)}::integer[],
				${changes.map((c) => c.sent)}::integer[], ${changes.map((c) => c.delivered)}::integer[],
				${changes.map((c) => c.read)}::integer[], ${changes.map((c) => c.failed)}::integer[],
				${changes.map((c) => c.ownPending.count)}::integer[], ${changes.map((c) => c.ownPending.paise)}::bigint[],
				${changes.map((c) => c.ownCharged.count)}::integer[], ${changes.map((c) => c.ownCharged.paise)}::bigint[],
				${changes.map((c) => c.byMarketingRoute)}::integer[], ${changes.map((c) => c.byOrdinaryRoute)}::integer[]
			) as n (
				campaign_id, pending, sent, delivered, read, failed,
				own_pending, own_pending_paise, own_charged, own_charged_paise, by_marketing_route,
				by_ordinary_route
			)
		), locked as materialized (
			select c.id from campaigns c
			where c.account_id = ${accountId} and c.id = any(${changes.map((c) => c.campaignId)}::bigint[])
			order by c.id
			for update
		)
		update campaigns c
		set pending_count = c.pending_count + n.pending,
			sent_count = c.sent_count + n.sent,
			delivered_count = c.delivered_count + n.delivered,
			read_count = c.read_count + n.read,
			failed_count = c.failed_count + n.failed,
			pending_extra_paise = c.pending_extra_paise + n.own_pending_paise - n.own_pending::bigint * c.price_paise,
			charged_extra_paise = c.charged_extra_paise + n.own_charged_paise - n.own_charged::bigint * c.price_paise,
			marketing_route_count = coalesce(c.marketing_route_count, 0) + n.by_marketing_route,
			ordinary_route_count = coalesce(c.ordinary_route_count, 0) + n.by_ordinary_route,
			updated_at = ${at},
			finished_at = case when c.pending_count + n.pending = 0 then coalesce(c.finished_at, ${at}::timestamptz) end,
			status = case
				when c.status = any(${complete.from}::text[]) and c.pending_count + n.pending = 0 then ${complete.to}
				else c.status end,
			status_reason = case
				when c.pending_count + n.pending = 0 and c.status = 'paused' then null else c.status_reason end
		from changes n
		join locked l on l.id = n.campaign_id
		where c.account_id = ${accountId} and c.id = n.campaign_id
		returning c.id, c.name, c.kind, c.kind = 'api' or coalesce(c.has_references, false) as "hasReferences", c.price_paise as "pricePaise", c.waived_count as "waivedCount",
			n.pending <> 0 and c.pending_count = 0 and c.status = ${complete.to} as completed
	`
}

/** Adds to the number of waived messages at the campaign's price. */
export async function updateWaived(
	sql: Sql,
	accountId: AccountId,
	campaign: { id: number; change: number },
): Promise<void> {
	await sql`
		update campaigns set waived_count = waived_count + ${campaign.change}
		where account_id = ${accountId} and id = ${campaign.id}
	`
}

/** Adds to the messages of a campaign that were refunded because WhatsApp does not charge them, and to their prices. */
export async function addPassedOn(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, messages, paise }: { campaignId: number; messages: number; paise: number },
): Promise<void> {
	await sql`
		update campaigns set passed_on_count = coalesce(passed_on_count, 0) + ${messages}::int,
			passed_on_paise = coalesce(passed_on_paise, 0) + ${paise}::bigint
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/** A waived message with a price of its own. */
export interface WaivedMessage {
	seq: number
	/** The price of the message before it was waived. */
	pricePaise: number
	/** False when the message failed again in the same batch. */
	isAccepted: boolean
}

/** Sets the prices of waived messages to 0, and takes the prices of accepted ones from what the campaign charged. */
export async function waiveOwnPrices(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, waived }: { campaignId: number; waived: readonly WaivedMessage[] },
): Promise<void> {
	await sql`
		update campaign_messages set price_paise = 0
		where account_id = ${accountId} and campaign_id = ${campaignId}
			and seq = any(${waived.map(({ seq }) => seq)}::integer[])
	`
	const paise = waived.reduce((sum, { pricePaise, isAccepted }) => sum + (isAccepted ? pricePaise : 0), 0)
	await sql`
		update campaigns set charged_extra_paise = charged_extra_paise - ${paise}
		where account_id = ${accountId} and id = ${campaignId}
	`
}

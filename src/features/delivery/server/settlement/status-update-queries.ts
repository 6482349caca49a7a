import { erasedForms } from '#features/contacts/server/erasure/erased.ts'
import { formsOf } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from '../message/message-id.ts'
import type { StatusUpdate } from '../message/status-update.ts'
import { findRecentFirst } from '../months/recent-queries.ts'

interface MessageOfWamid extends MessageId {
	wamid: string
}

/**
 * Finds campaign messages by wamid. The recipient's number or WhatsApp id narrows the search by its index; the wamid has no
 * index, which would cost every message a second write. Both are stored in their erased form for erased recipients.
 */
export async function findByWamid(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly { wamid: string; recipient: string }[],
): Promise<MessageOfWamid[]> {
	const everyForm = statusUpdates.flatMap(({ wamid, recipient }) =>
		formsOf(recipient).map((form) => ({ wamid, recipient: form })),
	)
	const forms = await erasedForms(
		sql,
		accountId,
		everyForm.flatMap(({ wamid, recipient }) => [wamid, recipient]),
	)
	const sought = everyForm.flatMap(({ wamid, recipient }) => {
		const form = forms.get(recipient)
		const plain = { wamid, recipient, stored: wamid }
		return form === undefined ? [plain] : [plain, { wamid, recipient: form, stored: forms.get(wamid) ?? wamid }]
	})
	return findRecentFirst(sql, accountId, {
		sought,
		find: (some, isOfMonths) => sql<MessageOfWamid[]>`
			select m.campaign_id as "campaignId", m.seq, r.wamid
			from unnest(
				${some.map((r) => r.wamid)}::text[], ${some.map((r) => r.recipient)}::text[], ${some.map((r) => r.stored)}::text[]
			) as r (wamid, recipient, stored)
			cross join lateral (
				select r.recipient as number
				union
				select number from whatsapp_ids where account_id = ${accountId} and wa_id = r.recipient
			) n
			join campaign_messages m on m.account_id = ${accountId} and m.number = n.number and m.wamid = r.stored
				and ${isOfMonths}
		`,
	})
}

/** Returns the numbers of these messages. */
export async function listNumbers(
	sql: Sql,
	accountId: AccountId,
	messages: readonly { campaignId: number; seq: number }[],
): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select m.number
		from unnest(${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::int[]) as k (campaign_id, seq)
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
	`
	return rows.map(({ number }) => number)
}

/**
 * Seconds before an unmatched status update is tried again. Each further attempt runs at RETRY_FACTOR times the age of the
 * attempt before: after 5, 60 and 720 seconds.
 */
const FIRST_RETRY_SECONDS = 5
const RETRY_FACTOR = 12
/** Age in seconds at which an unmatched status update is deleted. The answer that names its message takes seconds. */
const MAX_AGE_SECONDS = 3600

/** Inserts status updates whose message is unknown yet, ordered by key so that two batches do not deadlock. */
export async function insertUnmatched(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly StatusUpdate[],
): Promise<void> {
	const sorted = statusUpdates.toSorted((a, b) => (`${a.wamid} ${a.status}` < `${b.wamid} ${b.status}` ? -1 : 1))
	await sql`
		insert into unmatched_reports (account_id, wamid, status, report, retry_at)
		select ${accountId}::bigint, n.wamid, n.status, n.report::jsonb, now() + ${FIRST_RETRY_SECONDS} * interval '1 second'
		from unnest(
			${sorted.map((r) => r.wamid)}::text[], ${sorted.map((r) => r.status)}::text[],
			${sorted.map((r) => JSON.stringify({ ...r, callbackData: '' }))}::text[]
		) as n (wamid, status, report)
		on conflict (account_id, wamid, status) do nothing
	`
}

/** Returns accounts with unmatched status updates that are due. */
export async function listUnmatchedAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from unmatched_reports
		where retry_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Locks and returns up to `limit` due status updates. Skips those that another process works on. */
export async function lockUnmatched(sql: Sql, accountId: AccountId, limit: number): Promise<StatusUpdate[]> {
	const rows = await sql<{ statusUpdate: Omit<StatusUpdate, 'at'> & { at: string } }[]>`
		select report as "statusUpdate" from unmatched_reports
		where account_id = ${accountId} and retry_at <= now()
		order by received_at, wamid, status
		limit ${limit}
		for update skip locked
	`
	return rows.map(({ statusUpdate }) => ({ ...statusUpdate, at: new Date(statusUpdate.at) }))
}

/**
 * Postpones status updates, and deletes those that had their last attempt. The time is added up outside the UPDATE: a
 * distributed table refuses the sum of a time and an interval there.
 */
export async function postponeUnmatched(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly StatusUpdate[],
): Promise<void> {
	if (statusUpdates.length === 0) return
	await sql`
		with tried as (
			select u.wamid, u.status, u.received_at + (now() - u.received_at) * ${RETRY_FACTOR} as retry_at,
				u.received_at + ${MAX_AGE_SECONDS} * interval '1 second' as ends_at
			from unnest(${statusUpdates.map((r) => r.wamid)}::text[], ${statusUpdates.map((r) => r.status)}::text[]) as n (wamid, status)
			join unmatched_reports u on u.account_id = ${accountId} and u.wamid = n.wamid and u.status = n.status
		), deleted as (
			delete from unmatched_reports u using tried t
			where u.account_id = ${accountId} and u.wamid = t.wamid and u.status = t.status
				and t.retry_at > t.ends_at
		)
		update unmatched_reports u set retry_at = t.retry_at
		from tried t
		where u.account_id = ${accountId} and u.wamid = t.wamid and u.status = t.status
			and t.retry_at <= t.ends_at
	`
}

export async function deleteUnmatched(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly Pick<StatusUpdate, 'wamid' | 'status'>[],
): Promise<void> {
	if (statusUpdates.length === 0) return
	await sql`
		delete from unmatched_reports u
		using unnest(${statusUpdates.map((r) => r.wamid)}::text[], ${statusUpdates.map((r) => r.status)}::text[]) as n (wamid, status)
		where u.account_id = ${accountId} and u.wamid = n.wamid and u.status = n.status
	`
}

import { wasNumberOf } from '#features/contacts/server/whatsapp-id-queries.ts'
import {
	closeGaps,
	deleteMessagesTo,
	updateControlGroup,
} from '#features/delivery/server/orders/new-message-queries.ts'
import type { ErasedPerson } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { ControlGroup } from '../rules.ts'

/**
 * Moves `count` of a campaign's new messages to the control group, chosen by a hash of number and campaign. Their
 * messages are deleted and the gaps closed, so that the rest is numbered from 1.
 */
export async function writeControlGroup(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, written, count }: { campaignId: number; written: number; count: number },
): Promise<void> {
	await sql`
		insert into campaign_held_out (account_id, campaign_id, number)
		select ${accountId}::bigint, ${campaignId}::bigint, m.number from campaign_messages m
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId}
		order by hashtextextended(m.number, ${campaignId}::bigint), m.number
		limit ${count}
	`
	const people = sql`
		select h.number from campaign_held_out h where h.account_id = ${accountId} and h.campaign_id = ${campaignId}
	`
	await deleteMessagesTo(sql, accountId, { campaignId, people })
	await closeGaps(sql, accountId, { campaignId, count: written - count })
	const controlGroup: ControlGroup = {
		people: count,
		wrote: 0,
		clicked: 0,
		recipientsWrote: 0,
		recipientsClicked: 0,
		countedAt: null,
	}
	await updateControlGroup(sql, accountId, { campaignId, controlGroup, dueAt: 'start' })
}

/** Campaign whose control group is due for a count. */
export interface DueControlGroup {
	accountId: AccountId
	campaignId: number
	controlGroup: ControlGroup
	startedAt: Date | null
	/** True when the campaign has finished. A finished campaign without `startedAt` was never sent. */
	isEnded: boolean
	/** Time of the database's clock. */
	now: Date
}

export async function listDueControlGroupsAllAccounts(
	sql: Sql,
	{ limit, only }: { limit: number; only: AccountId | null },
): Promise<DueControlGroup[]> {
	return sql<DueControlGroup[]>`
		select account_id as "accountId", id as "campaignId", held_out as "controlGroup", started_at as "startedAt",
			finished_at is not null as "isEnded", now() as now
		from campaigns
		where hold_out_due_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
		order by hold_out_due_at
		limit ${limit}
	`
}

/** Replaces an erased person's numbers in the control groups of campaigns by their erased form. */
export async function eraseFromControlGroups(
	sql: Sql,
	accountId: AccountId,
	{ names, formOf }: ErasedPerson,
): Promise<object> {
	const isPersons = wasNumberOf(sql, accountId, { number: sql`h.number`, at: sql`c.created_at`, names })
	const held = await sql<{ campaignId: number; number: string }[]>`
		select h.campaign_id as "campaignId", h.number from campaign_held_out h
		join campaigns c on c.account_id = ${accountId} and c.id = h.campaign_id
		where h.account_id = ${accountId} and ${isPersons}
	`
	await sql`
		update campaign_held_out h set number = n.erased
		from unnest(
			${held.map(({ campaignId }) => campaignId)}::bigint[], ${held.map(({ number }) => number)}::text[],
			${held.map(({ number }) => formOf(number))}::text[]
		) as n (campaign_id, number, erased)
		where h.account_id = ${accountId} and h.campaign_id = n.campaign_id and h.number = n.number
	`
	return {}
}

import assert from 'node:assert/strict'
import { createFollowUps } from '#features/campaigns/server/report/follow-up.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { transaction } from '#lib/server/db.ts'
import { moneyFindings, sendingAccount, startCampaign, type Product } from '../full-stack.ts'

/** A campaign in an account of its own, in a product without a worker. */
export interface Sent {
	product: Product
	sender: Awaited<ReturnType<typeof sendingAccount>>
	campaignId: number
}

/** Creates a campaign whose messages a worker has sent, without an answer yet. */
export async function sentCampaign(
	product: Product,
	contacts: number,
	{ retryThrottled = true, balancePaise = contacts * 100 } = {},
): Promise<Sent> {
	const sender = await sendingAccount(product, { contacts, balancePaise })
	const campaignId = await startCampaign(product, sender, { retryHeldBack: retryThrottled })
	return claimed({ product, sender, campaignId })
}

async function claimed(sent: Sent): Promise<Sent> {
	await sent.product.db`
		with campaign as (
			update campaigns set status = 'processing', started_at = now(), claimed_through = total_count
			where id = ${sent.campaignId}
			returning *
		)
		insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
		select account_id, 0, id, id, 'worker', array(select generate_series(1, total_count)) from campaign
	`
	return sent
}

/**
 * Sends the status updates of the campaign's messages: one outcome for each message in their order, the code of a
 * failure or a status. Null sends no status update.
 */
export async function updateStatuses(
	{ product, sender, campaignId }: Sent,
	outcomes: readonly (number | 'sent' | 'delivered' | null)[],
	suffix = '',
): Promise<void> {
	const statuses = outcomes.flatMap((outcome, index) =>
		outcome === null
			? []
			: {
					id: `wamid.${campaignId}.${index}`,
					status: typeof outcome === 'number' ? 'failed' : outcome,
					timestamp: String(Math.floor(Date.now() / 1000)),
					biz_opaque_callback_data: `campaign:${campaignId}:${index + 1}${suffix}`,
					...(typeof outcome === 'number' && { errors: [{ code: outcome, title: 'Not delivered' }] }),
				},
	)
	const { notify } = product.process.context
	await transaction(product.db, (sql) =>
		settleStatusUpdates(sql, sender.accountId, { statusUpdates: readStatusUpdates(statuses), notify }),
	)
	assert.deepEqual(await moneyFindings(product.db), [])
}

export function read({ product, sender, campaignId }: Sent): ReturnType<typeof getCampaign> {
	return getCampaign(product.db, sender.accountId, String(campaignId))
}

/** Returns the number of days until the follow-up, or null if there is none. */
export async function dueInDays(sent: Sent): Promise<number | null> {
	const { followUpAt } = await read(sent)
	return followUpAt && Math.round((followUpAt.getTime() - Date.now()) / 86_400_000)
}

/** Moves the due time of the account's follow-ups to now. */
export async function comeDue({ product, sender: { accountId } }: Sent): Promise<void> {
	await product.db`update campaigns set follow_up_at = now() where account_id = ${accountId} and follow_up_at is not null`
}

export async function followUp(sent: Sent): Promise<void> {
	await comeDue(sent)
	await createFollowUps(sent.product.process.context)
}

/**
 * Returns the campaigns that send the account's failed messages again, with their recipients: the last digit of each number.
 */
export async function retriesOf({ product, sender: { accountId } }: Sent) {
	return product.db<{ id: number; of: number; name: string; to: string; pricePaise: number }[]>`
		select c.id, c.retry_of as of, c.name, c.price_paise as "pricePaise",
			(
				select string_agg(right(number, 1), '' order by seq) from campaign_messages m
				where m.account_id = c.account_id and m.campaign_id = c.id
			) as to
		from campaigns c where account_id = ${accountId} and retry_of is not null order by id
	`
}

/** Returns the latest campaign of `retriesOf`, as if a worker had sent it. */
export async function latestRetry(sent: Sent): Promise<Sent> {
	const made = (await retriesOf(sent)).at(-1)
	assert.ok(made)
	return claimed({ ...sent, campaignId: made.id })
}

/** Returns the texts of the account's notifications that messages were not sent again. */
export async function notesOf({ product, sender: { accountId } }: Sent): Promise<string[]> {
	const rows = await product.db<{ text: string }[]>`
		select text from notifications where account_id = ${accountId} and text like '%not sent again%' order by id
	`
	return rows.map(({ text }) => text)
}

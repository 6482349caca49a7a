import assert from 'node:assert/strict'
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
	{ balancePaise = contacts * 100 } = {},
): Promise<Sent> {
	const sender = await sendingAccount(product, { contacts, balancePaise })
	const campaignId = await startCampaign(product, sender)
	return claimed({ product, sender, campaignId })
}

/** Marks the messages of a campaign as claimed by a worker, which has not settled them. */
export async function claimed(sent: Sent): Promise<Sent> {
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

/** Returns the campaigns that retry the account's messages, with their recipients: the last digit of each number. */
export async function retriesOf({ product, sender: { accountId } }: Sent) {
	return product.db<{ id: number; of: number; to: string }[]>`
		select c.id, c.retry_of as of,
			(
				select string_agg(right(number, 1), '' order by seq) from campaign_messages m
				where m.account_id = c.account_id and m.campaign_id = c.id
			) as to
		from campaigns c where account_id = ${accountId} and retry_of is not null order by id
	`
}

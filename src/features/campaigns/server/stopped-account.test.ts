import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'

const THROTTLED = 131049
const product = await launchProduct({ statuses: { readRate: 0 } })

type Sender = Awaited<ReturnType<typeof sendingAccount>>

/** Actions of an administrator after which the product may send nothing for an account. */
const STOPS: Record<string, (sender: Sender) => PromiseLike<unknown>> = {
	deleted: ({ userId }) => product.db`update users set deleted_at = now() where id = ${userId}`,
	deactivated: ({ userId }) => product.db`update users set is_active = false where id = ${userId}`,
	'made an admin': ({ userId }) => product.db`update users set role = 'admin' where id = ${userId}`,
}

const numbersOf = async ({ accountId }: Sender) => {
	const counts = await product.simulator.control.receivedCounts()
	const prefix = `9155${String(accountId).padStart(3, '0')}`
	return Object.entries(counts).filter(([number]) => number.startsWith(prefix))
}

/**
 * Resolves when a campaign of another account, begun after this call, has been opened and sent. The workers have read all
 * work since the call then.
 */
async function untilWorkersLooked(): Promise<void> {
	const other = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, other)
	await campaignWhen(product, { ...other, campaignId }, ({ status }) => status === 'completed')
}

for (const [what, stop] of Object.entries(STOPS))
	describe(`an account whose user was ${what}`, () => {
		test('a late status update about a throttled message refunds it, and the campaign stays completed', async () => {
			const sender = await sendingAccount(product, { contacts: 1 })
			const { accountId } = sender
			const { phone_number_id, waba_id } = sender.credentials
			await product.simulator.control.holdWebhooks({ waba_id })
			await product.simulator.control.addFault({ call: 'messages', phone_number_id, kind: 'silent' })
			const campaignId = await startCampaign(product, sender)
			await campaignWhen(product, { accountId, campaignId }, ({ status }) => status === 'completed')
			await stop(sender)
			const statusUpdate = {
				id: 'wamid.late',
				status: 'failed',
				biz_opaque_callback_data: `campaign:${campaignId}:1`,
				errors: [{ code: THROTTLED, title: 'Throttled' }],
			}
			await transaction(product.db, (sql) =>
				settleStatusUpdates(sql, accountId, {
					statusUpdates: readStatusUpdates([statusUpdate]),
					notify: async () => {},
				}),
			)
			const campaign = await campaignWhen(product, { accountId, campaignId }, () => true)
			assert.deepEqual([campaign.status, campaign.failed, campaign.pending], ['completed', 1, 0])
			assert.deepEqual(await getWallet(product.db, accountId), { availablePaise: 100, heldPaise: 0 })
			assert.deepEqual(await moneyFindings(product.db), [])
		})

		test('a campaign that still counts as being sent claims and retries nothing', async () => {
			const sender = await sendingAccount(product, { contacts: 4 })
			const { accountId } = sender
			const campaignId = await startCampaign(product, sender, {
				schedule: 'later',
				scheduleDatetime: '2099-01-01T10:00:00',
			})
			await stop(sender)
			await product.db`
				update campaigns set status = 'processing', started_at = now(), claimed_through = 2
				where account_id = ${accountId} and id = ${campaignId}
			`
			await product.db`
				insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
				values (${accountId}, ${campaignId}, 1, now()), (${accountId}, ${campaignId}, 2, now())
			`
			product.db.notify('work', String(accountId))
			await untilWorkersLooked()
			assert.deepEqual(await numbersOf(sender), [])
			const [row] = await product.db`select claimed_through from campaigns where id = ${campaignId}`
			assert.equal(row?.claimed_through, 2)
		})

		test('a campaign whose time has come is not opened', async () => {
			const sender = await sendingAccount(product, { contacts: 1 })
			const campaignId = await startCampaign(product, sender, {
				schedule: 'later',
				scheduleDatetime: '2099-01-01T10:00:00',
			})
			await stop(sender)
			await product.db`update campaigns set opens_at = now() where id = ${campaignId}`
			product.db.notify('work', String(sender.accountId))
			await untilWorkersLooked()
			const [row] = await product.db`select status from campaigns where id = ${campaignId}`
			assert.equal(row?.status, 'pending')
		})

		test('a confirmation of opting out that waits for a worker is not sent', async () => {
			const sender = await sendingAccount(product, { contacts: 0 })
			const { accountId } = sender
			const number = `9155${String(accountId).padStart(3, '0')}777777`
			const { phone_number_id } = sender.credentials
			await product.simulator.control.sendInbound({ phone_number_id, from: number })
			await stop(sender)
			await product.db`
				with written as (
					insert into chat_messages (account_id, chat, direction, kind, body, status, at)
					values (${accountId}, ${number}, 'out', 'text', '{"text":"Done"}', 'pending', now())
					returning account_id, id
				)
				insert into jobs (kind, owner_id, data)
				select 'send-chat-message', account_id, jsonb_build_object('id', id) from written
			`
			product.db.notify('jobs', 'send-chat-message')
			await until(async () => {
				const [row] = await product.db`select status from chat_messages where account_id = ${accountId}`
				return row?.status === 'failed'
			})
			assert.deepEqual(await numbersOf(sender), [])
		})
	})

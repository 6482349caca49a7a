import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import { getSenderState } from '#features/whatsapp/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { resumeSending } from '../service.ts'

const product = await launchProduct()

afterEach(() => product.simulator.control.clearFaults())

const PAYMENT = 131042
const TEMPLATE_PAUSED = 132015

/**
 * Starts a campaign whose messages WhatsApp accepts and soon after reports as failed with `code`. At five messages a second,
 * the campaign is still being sent when the first of these status updates takes effect.
 */
async function startFailing(code: number) {
	const sender = await sendingAccount(product, { contacts: 300, perSecond: 5 })
	const { phone_number_id } = sender.credentials
	await product.simulator.control.addFault({ phone_number_id, kind: 'fail-later', code })
	const campaignId = await startCampaign(product, sender)
	return { ...sender, campaignId }
}

/** Posts a failed status update of an unknown message with the given age in seconds. */
async function reportFailure(
	{ accountId, credentials }: Awaited<ReturnType<typeof sendingAccount>>,
	secondsAgo: number,
) {
	const { waba_id, phone_number_id } = credentials
	const status = {
		id: `wamid.${secondsAgo}`,
		status: 'failed',
		timestamp: String(Math.floor(Date.now() / 1000) - secondsAgo),
		recipient_id: '919876543210',
		errors: [{ code: PAYMENT }],
	}
	const value = { metadata: { phone_number_id }, statuses: [status] }
	await product.simulator.control.sendWebhook({ waba_id, field: 'messages', value })
	await product.simulator.control.waitIdle()
	await until(async () => {
		const waiting = await product.db`select 1 from webhook_deliveries where account_id = ${accountId}`
		return waiting.length === 0
	})
}

const stateOf = async (accountId: AccountId) => (await getSenderState(product.db, accountId))?.stoppedReason

suite('a failure that WhatsApp reports after it accepted a message', () => {
	test('a payment problem stops the sender with all its campaigns until the account resumes it', async () => {
		const sending = await startFailing(PAYMENT)
		const paused = await campaignWhen(product, sending, (c) => c.status === 'paused')
		assert.ok(paused.pending > 0, 'some messages were not sent')
		assert.match((await stateOf(sending.accountId)) ?? '', /payment method/)
		const notified = await product.db<{ text: string }[]>`
			select text from notifications where account_id = ${sending.accountId} and text like 'Sending has stopped%'
		`
		assert.equal(notified.length, 1)

		await product.simulator.control.clearFaults()
		// A message that was in flight when the sender stopped is reported as failed too: after the resumption it would stop
		// the sender again.
		await until(async () => (await product.db`select 1 from message_claims`).length === 0)
		await product.simulator.control.waitIdle()
		await until(async () => (await product.db`select 1 from webhook_deliveries`).length === 0)
		await product.db`
			update senders set messages_per_second = 80, updated_at = now() where account_id = ${sending.accountId}
		`
		await resumeSending(product.process.context, sending.accountId)
		await campaignWhen(product, sending, (c) => c.pending === 0)
		assert.equal(await stateOf(sending.accountId), null)
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a failure older than the last resumption, or than an hour, stops nothing', async () => {
		const resumed = await sendingAccount(product, { contacts: 1 })
		await resumeSending(product.process.context, resumed.accountId)
		await reportFailure(resumed, 600)

		const settled = await sendingAccount(product, { contacts: 1 })
		await product.db`
			update senders set checked_at = now() - interval '1 day' where account_id = ${settled.accountId}
		`
		await reportFailure(settled, 4000)
		assert.equal(await stateOf(settled.accountId), null)
		await reportFailure(settled, 601)
		await until(async () => (await stateOf(settled.accountId)) !== null)
		assert.equal(await stateOf(resumed.accountId), null)
	})

	test('a paused template pauses its campaign and not the sender', async () => {
		const sending = await startFailing(TEMPLATE_PAUSED)
		const paused = await campaignWhen(product, sending, (c) => c.status === 'paused')
		assert.ok(paused.pending > 0)
		assert.match(paused.statusReason ?? '', /paused the template/)
		assert.equal(await stateOf(sending.accountId), null)
	})
})

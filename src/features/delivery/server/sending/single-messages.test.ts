import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendTest } from '#features/campaigns/server/creation/single-message.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { pauseAllCampaigns } from '../service.ts'

type Sender = Awaited<ReturnType<typeof sendingAccount>>

const product = await launchProduct()

const PRICE_PAISE = 100

async function orderTest({ accountId, templateId }: Sender, number: string) {
	const campaignId = await sendTest(product.db, accountId, { templateId, variables: { var1: 'Asha' }, number })
	return { accountId, campaignId }
}

const messageOf = async ({ accountId, campaignId }: { accountId: number; campaignId: number }) => {
	const [row] = await product.db<{ status: string; code: number | null; error: string | null }[]>`
		select status, error_code as code, error from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	return row
}

test('a single message is sent before the remaining messages of five older campaigns of its sender', async () => {
	const contacts = 300
	const sender = await sendingAccount(product, { contacts, perSecond: 40, balancePaise: 2000 * PRICE_PAISE })
	const { accountId } = sender
	const ids: number[] = []
	for (let count = 0; count < 5; count++) ids.push(await startCampaign(product, sender))
	await campaignWhen(product, { accountId, campaignId: ids[0] ?? 0 }, ({ pending }) => pending < contacts)
	const accepted = async () => {
		const counts = await product.simulator.control.receivedCounts()
		return Object.values(counts).reduce((sum, count) => sum + count, 0)
	}
	const single = await orderTest(sender, '919800000001')
	await campaignWhen(product, single, ({ startedAt }) => startedAt !== null)
	const first = await accepted()
	await until(async () => (await product.simulator.control.received('919800000001')).accepted === 1)
	// Allows for a claim, which covers a second of sending, and for a slow machine.
	assert.ok((await accepted()) - first <= 200, `${(await accepted()) - first} messages went before it`)
	await pauseAllCampaigns(product.db, accountId, 'The test is over.')
})

test('a single message that WhatsApp refuses because of its template fails with the reason instead of being paused', async () => {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: PRICE_PAISE })
	const number = '919800000002'
	await product.simulator.control.addFault({ call: 'messages', to: number, kind: 'error', code: 132015 })
	const single = await orderTest(sender, number)
	const { status } = await campaignWhen(product, single, ({ pending }) => pending === 0)
	assert.equal(status, 'completed')
	const message = await messageOf(single)
	assert.deepEqual([message?.status, message?.code], ['failed', 132015])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a single message that stops its sender fails with the reason, and is not sent when sending is resumed', async () => {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: PRICE_PAISE })
	const number = '919800000003'
	await product.simulator.control.addFault({ call: 'messages', to: number, kind: 'error', code: 131031 })
	const single = await orderTest(sender, number)
	await campaignWhen(product, single, ({ failed }) => failed === 1)
	assert.equal((await messageOf(single))?.code, 131031)
	const [row] = await product.db`select stopped_reason from senders where account_id = ${sender.accountId}`
	assert.match(String(row?.stopped_reason), /locked this account/)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('pauseAllCampaigns fails a waiting single message with the reason, and releases its price', async () => {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: PRICE_PAISE })
	// Keeps the single message from being opened before the account is stopped.
	await product.db`update users set is_active = false where id = ${sender.userId}`
	const single = await orderTest(sender, '919800000004')
	const paused = await transaction(product.db, (sql) =>
		pauseAllCampaigns(sql, sender.accountId, 'The account was deactivated by an administrator.'),
	)
	assert.equal(paused, 0)
	const { status } = await campaignWhen(product, single, ({ pending }) => pending === 0)
	assert.equal(status, 'failed')
	assert.equal((await messageOf(single))?.error, 'The account was deactivated by an administrator.')
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

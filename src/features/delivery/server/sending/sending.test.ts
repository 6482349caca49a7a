import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { TOKEN_UNREADABLE } from '#features/whatsapp/server/service.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../service.ts'

const product = await launchProduct({ env: { UNKNOWN_AFTER: '2' } })

async function countsOf(numbers: string) {
	const counts = await product.simulator.control.receivedCounts()
	return Object.entries(counts).filter(([number]) => number.startsWith(numbers))
}

/** Pace in messages a second at which a campaign of 200 is still being sent when its test acts on it, on any machine. */
const SLOW = 1

const prefixOf = (accountId: number) => `9155${String(accountId).padStart(3, '0')}`

describe('sending a campaign', () => {
	test('a campaign reaches every recipient exactly once and costs its price for each', async () => {
		const sender = await sendingAccount(product, { contacts: 300 })
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.sent === 0 && c.delivered + c.read === 300)
		const received = await countsOf(prefixOf(sender.accountId))
		assert.equal(received.length, 300)
		assert.ok(received.every(([, count]) => count === 1))
		assert.equal((await product.simulator.control.loadStats()).http2_calls, 0)
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a person whose two numbers were listed gets one message, and the other one fails and costs nothing', async () => {
		const sender = await sendingAccount(product, { contacts: 3 })
		const campaignId = await startCampaign(product, sender, LATER)
		const [former, present] = [1, 2].map((index) => `${prefixOf(sender.accountId)}00000${index}`)
		await product.db`
			update campaign_messages set number = ${present}, listed_number = ${former}
			where account_id = ${sender.accountId} and campaign_id = ${campaignId} and number = ${former}
		`
		await product.db`update campaigns set opens_at = now() where id = ${campaignId}`
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.failed === 1 && c.delivered + c.read === 2)
		const received = Object.fromEntries(await countsOf(prefixOf(sender.accountId)))
		assert.deepEqual([received[former ?? ''], received[present ?? '']], [undefined, 1])
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 100, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a campaign sends each recipient the message with their own merge values', async () => {
		const sender = await sendingAccount(product, { contacts: 2 })
		const campaignId = await startCampaign(product, sender, { variables: { var1: 'dear {{firstName|friend}}' } })
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'completed')
		const { messages } = await product.simulator.control.received(`${prefixOf(sender.accountId)}000001`)
		assert.match(JSON.stringify(messages), /dear Contact 1/)
	})

	test('a paused campaign sends only messages in flight, and once resumed sends no recipient a second message', async () => {
		const sender = await sendingAccount(product, { contacts: 200, perSecond: 10 })
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending < 200)
		await pauseCampaign(product.process.context, sender.accountId, String(campaignId))
		const paused = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'paused')
		await product.simulator.control.waitIdle()
		const stopped = await campaignWhen(product, { ...sender, campaignId }, () => true)
		assert.ok(paused.pending - stopped.pending <= 20, 'the worker stopped within two seconds')
		assert.ok(stopped.pending > 0)
		await product.db`
			update senders set messages_per_second = 80, updated_at = now() where account_id = ${sender.accountId}
		`
		await resumeCampaign(product.process.context, sender.accountId, String(campaignId))
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'completed')
		assert.ok((await countsOf(prefixOf(sender.accountId))).every(([, count]) => count === 1))
	})

	test('a cancelled campaign releases the price of every message that was not sent', async () => {
		const sender = await sendingAccount(product, { contacts: 200, perSecond: SLOW })
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending < 200)
		await cancelCampaign(product.process.context, sender.accountId, String(campaignId))
		const ended = await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0)
		const received = (await countsOf(prefixOf(sender.accountId))).length
		assert.equal(ended.sent + ended.delivered + ended.read, received)
		const wallet = await getWallet(product.db, sender.accountId)
		assert.deepEqual(wallet, { availablePaise: (200 - received) * 100, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})
})

const withFault = async (fault: object, contacts = 40) => {
	const sender = await sendingAccount(product, { contacts })
	const { phone_number_id } = sender.credentials
	await product.simulator.control.addFault({ phone_number_id, ...fault } as Fault)
	const campaignId = await startCampaign(product, sender)
	return { ...sender, campaignId }
}
const onceEach = async (accountId: number) => {
	const received = await countsOf(prefixOf(accountId))
	assert.ok(received.every(([, count]) => count === 1))
	return received.length
}

describe('sending through network faults', () => {
	for (const fault of [
		{ kind: 'drop', accepted: true, times: 10 },
		{ kind: 'server-error', accepted: true, times: 10 },
		{ kind: 'error', code: 131000, accepted: true, times: 10 },
	]) {
		test(`messages that meet ${JSON.stringify(fault)} are settled by their status updates and never sent again`, async () => {
			const sender = await withFault(fault)
			const done = await campaignWhen(product, sender, (c) => c.pending === 0)
			assert.equal(done.failed, 0)
			assert.equal(await onceEach(sender.accountId), 40)
			assert.deepEqual(await moneyFindings(product.db), [])
		})
	}

	test('a message of unknown outcome fails after UNKNOWN_AFTER and its price is released', async () => {
		const sender = await withFault({ kind: 'drop', accepted: false, times: 10 })
		const done = await campaignWhen(product, sender, (c) => c.status === 'completed')
		assert.equal(done.failed, 10)
		assert.equal(await onceEach(sender.accountId), 30)
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 1000, heldPaise: 0 })
	})

	test('a late status update overrides the failure of an unconfirmed message, and its price is captured', async () => {
		const sender = await withFault({ kind: 'drop', accepted: true, times: 5 })
		await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
		const given = await campaignWhen(product, sender, (c) => c.status === 'completed')
		assert.equal(given.failed, 5)
		await product.simulator.control.releaseWebhooks({ waba_id: sender.credentials.waba_id })
		await campaignWhen(product, sender, (c) => c.failed === 0 && c.sent === 0)
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a campaign is paused with the reason, and sends nothing, when the access token cannot be decrypted', async () => {
		const sender = await sendingAccount(product, { contacts: 3 })
		const other = createVault(randomBytes(32))
		await product.db`
			update senders set access_token_sealed = ${other.encrypt(sender.accountId, 'token')} where account_id = ${sender.accountId}
		`
		const campaignId = await startCampaign(product, sender)
		const paused = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'paused')
		assert.deepEqual([paused.pending, paused.statusReason], [3, TOKEN_UNREADABLE.user])
	})

	test('a running campaign is paused with the reason when its access token can no longer be decrypted', async () => {
		const sender = await sendingAccount(product, { contacts: 200, perSecond: SLOW })
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending < 200)
		const other = createVault(randomBytes(32))
		await product.db`
			update senders set access_token_sealed = ${other.encrypt(sender.accountId, 'token')}, updated_at = now()
			where account_id = ${sender.accountId}
		`
		const paused = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'paused')
		assert.equal(paused.statusReason, TOKEN_UNREADABLE.user)
		assert.ok(paused.pending > 0)
	})

	test('a running campaign with a header file uploads it anew, and reaches everybody, when the sender gets another number', async () => {
		const components = [
			{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::abc'] } },
			{ type: 'BODY', text: 'Hello {{1}}, welcome!', example: { body_text: [['Asha']] } },
		]
		const sender = await sendingAccount(product, { contacts: 200, perSecond: SLOW, components })
		const other = await sendingAccount(product, { contacts: 1, components })
		const file = `${sender.accountId}/headers/picture.jpg`
		await product.process.context.storage.put(file, Buffer.from('a picture'))
		await product.db`update templates set header_file = ${file} where account_id = ${sender.accountId}`
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending < 200)
		const { phone_number_id: number, access_token: token } = other.credentials
		await product.db`
			update senders set phone_number_id = ${number},
				access_token_sealed = ${product.process.context.vault.encrypt(sender.accountId, token)},
				messages_per_second = 80, updated_at = now()
			where account_id = ${sender.accountId}
		`
		const done = await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0)
		assert.equal(done.failed, 0)
		const [row] = await product.db<{ number: string }[]>`
			select media_phone_number_id as number from campaigns where id = ${campaignId}
		`
		assert.equal(row?.number, other.credentials.phone_number_id)
		assert.equal(await onceEach(sender.accountId), 200)
	})

	test('messages refused with 130429 are sent again until every recipient has received one', async () => {
		const sender = await withFault({ kind: 'error', code: 130429, times: 30 })
		await campaignWhen(product, sender, (c) => c.status === 'completed' && c.failed === 0)
		assert.equal(await onceEach(sender.accountId), 40)
	})

	test('a message whose recipient Meta refuses fails, and its price is released', async () => {
		const sender = await withFault({ kind: 'error', code: 131026, times: 3 })
		const done = await campaignWhen(product, sender, (c) => c.status === 'completed')
		assert.equal(done.failed, 3)
		assert.equal((await getWallet(product.db, sender.accountId)).availablePaise, 300)
	})

	test('a message whose status update says failed after it was sent is refunded', async () => {
		const sender = await withFault({ kind: 'fail-later', code: 131049, times: 4 })
		await campaignWhen(product, sender, (c) => c.failed === 4 && c.sent === 0)
		assert.equal((await getWallet(product.db, sender.accountId)).availablePaise, 400)
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a refused template pauses the campaign with its reason, and the resumed campaign reaches everybody', async () => {
		const sender = await withFault({ kind: 'error', code: 132015, times: 5 })
		const paused = await campaignWhen(product, sender, (c) => c.status === 'paused')
		assert.match(paused.statusReason ?? '', /paused the template/)
		await resumeCampaign(product.process.context, sender.accountId, String(sender.campaignId))
		await campaignWhen(product, sender, (c) => c.status === 'completed' && c.failed === 0)
		assert.equal(await onceEach(sender.accountId), 40)
	})

	test('a refused access token pauses the campaign with its reason, and the resumed campaign reaches everybody', async () => {
		const sender = await withFault({ kind: 'error', code: 190, times: 20 })
		const paused = await campaignWhen(product, sender, (c) => c.status === 'paused')
		assert.match(paused.statusReason ?? '', /access token/)
		await product.simulator.control.clearFaults()
		await resumeCampaign(product.process.context, sender.accountId, String(sender.campaignId))
		await campaignWhen(product, sender, (c) => c.status === 'completed' && c.failed === 0)
		assert.equal(await onceEach(sender.accountId), 40)
	})

	test('resuming one campaign resumes all that were paused with their sender', async () => {
		const first = await withFault({ kind: 'error', code: 190 })
		const second = { ...first, campaignId: 0 }
		const payment = { reference: 'test:second', amountPaise: 4000 }
		await transaction(product.db, (sql) => postRecharge(sql, first.accountId, payment))
		await campaignWhen(product, first, (c) => c.status === 'paused')
		second.campaignId = await startCampaign(product, first, LATER)
		await product.db`
			update campaigns set status = 'paused', paused_with_sender = true, opens_at = now() where id = ${second.campaignId}
		`
		await product.simulator.control.clearFaults()
		await resumeCampaign(product.process.context, first.accountId, String(first.campaignId))
		for (const one of [first, second])
			await campaignWhen(product, one, (c) => c.status === 'completed' && c.failed === 0)
	})

	for (const kind of [
		'webhook-duplicate',
		'webhook-reorder',
		'webhook-split',
		'webhook-without-callback-data',
		'read-without-delivered',
	]) {
		test(`a campaign whose status updates meet ${kind} ends with every message delivered and paid for once`, async () => {
			const sender = await withFault({ kind })
			await campaignWhen(product, sender, (c) => c.sent === 0 && c.delivered + c.read === 40)
			await product.simulator.control.waitIdle()
			assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 0 })
			assert.deepEqual(await moneyFindings(product.db), [])
		})
	}
})

describe('sending beside an account whose network hangs', () => {
	test('a sender whose network hangs delays no other account’s campaign', async () => {
		const hanging = await withFault({ kind: 'hang', accepted: false })
		const other = await sendingAccount(product, { contacts: 200 })
		const campaignId = await startCampaign(product, other)
		await campaignWhen(product, { ...other, campaignId }, (c) => c.status === 'completed' && c.failed === 0)
		const stuck = await campaignWhen(product, hanging, () => true)
		assert.equal(stuck.pending, 40)
	})
})

test("sent_at is the database's time, though the clocks of the process and of the network are a day ahead", async (t) => {
	t.mock.timers.enable({ apis: ['Date'], now: Date.now() + DAY_MS })
	const sender = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ finishedAt }) => finishedAt !== null)
	t.mock.timers.reset()
	const [row] = await product.db<{ offByMs: number }[]>`
		select abs(extract(epoch from clock_timestamp() - sent_at) * 1000)::float8 as "offByMs"
		from campaign_messages where account_id = ${sender.accountId}
	`
	assert.ok(row && row.offByMs < 60_000, `${row?.offByMs} ms`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import type { MessageUpdate } from '#features/delivery/server/settlement/message-changes.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { FLOOR_MESSAGES } from '#features/wallet/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { announceWaitingRefunds } from '#features/wallet/server/waiting-refunds.ts'
import { transaction } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { exhaustFloor, seqs, messageUpdate } from '#test/scenes/refunds.ts'
import { refunds, type RefundToCheck } from '../refund-contract.ts'

const PRICE_PAISE = 100

const product = await launchProduct({ env: { ROLE: 'http' } })
const admin = await account(product.process.context, { role: 'admin' })

type Campaign = Awaited<ReturnType<typeof campaignTo>>

async function campaignTo(contacts: number, { isFloorUsed = false } = {}) {
	const sender = await sendingAccount(product, { contacts })
	const campaignId = await startCampaign(product, sender, LATER)
	if (isFloorUsed) await exhaustFloor(product.db, sender.accountId)
	return { ...sender, campaignId }
}

async function settleAll(of: Campaign, updates: MessageUpdate[]): Promise<void> {
	const { notify } = product.process.context
	await transaction(product.db, (sql) => settle(sql, of.accountId, { updates, notify }))
}

const become = (of: Campaign, status: MessageUpdate['status'], numbers: number[]) =>
	settleAll(
		of,
		numbers.map((seq) => messageUpdate(of, seq, { status })),
	)

async function availableOf({ accountId }: TestAccount): Promise<number> {
	return (await getWallet(product.db, accountId)).availablePaise
}

/** Returns the account's waiting refunds as an admin sees them. */
async function waitingOf({ userId }: TestAccount): Promise<RefundToCheck[]> {
	const found: RefundToCheck[] = []
	for (let page = 1, pages = 1; page <= pages; page++) {
		const { status, body } = await call(product.process.url, refunds.refundsToCheck, {
			query: { page },
			token: admin.token,
		})
		assert.equal(status, 200)
		pages = body.pages
		found.push(...body.refunds.filter((refund) => refund.userId === userId))
	}
	return found
}

function decide(refund: RefundToCheck | undefined, decision: 'approve' | 'refuse', token = admin.token) {
	assert.ok(refund)
	const { userId, campaign, price, reason, messages, decisions } = refund
	const body = { decision, campaignId: campaign?._id ?? null, price, reason, messages, decisions }
	return call(product.process.url, refunds.decideRefund, { params: { userId }, body, token })
}

const findings = () => moneyFindings(product.db)

async function reportOf({ campaignId, token }: Campaign) {
	const given = { params: { id: String(campaignId) }, token }
	return (await call(product.process.url, campaigns.get, given)).body.campaign
}

test('1,500 forged failures refund only the automatic limit of the account, and the rest wait for an admin', async () => {
	const forged = await campaignTo(FLOOR_MESSAGES + 500)
	const all = seqs(1, FLOOR_MESSAGES + 500)
	await become(forged, 'sent', all)
	assert.equal(await availableOf(forged), 0)
	const { notify } = product.process.context
	const statuses = all.map((seq) => ({
		id: `w${forged.campaignId}-${seq}`,
		status: 'failed',
		errors: [{ code: 131026, title: 'Undeliverable' }],
		biz_opaque_callback_data: `campaign:${forged.campaignId}:${seq}`,
	}))
	for (let from = 0; from < statuses.length; from += 400) {
		const batch = statuses.slice(from, from + 400)
		for (const _ of ['once', 'again'])
			await transaction(product.db, (sql) =>
				settleStatusUpdates(sql, forged.accountId, { statusUpdates: readStatusUpdates(batch), notify }),
			)
	}
	assert.equal(await availableOf(forged), FLOOR_MESSAGES * PRICE_PAISE)
	const [waiting, ...others] = await waitingOf(forged)
	assert.deepEqual(others, [])
	assert.deepEqual(
		[waiting?.messages, waiting?.amount, waiting?.reason, waiting?.usualShare],
		[500, 500, 'reported', null],
	)
	const report = await reportOf(forged)
	assert.deepEqual([report.failedCount, report.cost, report.refundWaiting], [1500, 500, 500])
	const balance = await call(product.process.url, wallet.balance, { token: forged.token })
	assert.equal(balance.body.refundsWaiting, 500)
	assert.deepEqual(await findings(), [])
})

test('a campaign of 1,000 failed messages is refunded automatically, also for a new account', async () => {
	const unlucky = await campaignTo(FLOOR_MESSAGES)
	await become(unlucky, 'sent', seqs(1, FLOOR_MESSAGES))
	await become(unlucky, 'failed', seqs(1, FLOOR_MESSAGES))
	assert.equal(await availableOf(unlucky), FLOOR_MESSAGES * PRICE_PAISE)
	assert.deepEqual(await waitingOf(unlucky), [])
})

test('decideRefund decides the waiting refunds of a deleted user', async () => {
	const leaving = await campaignTo(2, { isFloorUsed: true })
	await become(leaving, 'sent', [1, 2])
	await become(leaving, 'failed', [1, 2])
	const params = { id: leaving.userId }
	assert.equal((await call(product.process.url, users.remove, { params, token: admin.token })).status, 200)
	const [waiting] = await waitingOf(leaving)
	assert.equal((await decide(waiting, 'approve')).status, 200)
	assert.deepEqual(await waitingOf(leaving), [])
	assert.deepEqual(await findings(), [])
})

test('above the floor, 15 % of charges is refunded automatically, and up to 30 % for an account with a higher usual share', async () => {
	const fresh = await campaignTo(20, { isFloorUsed: true })
	const known = await campaignTo(20, { isFloorUsed: true })
	await product.db`
		insert into daily_totals (account_id, day, spent_paise, refunded_paise)
		values (${known.accountId}, ${INDIAN_TODAY} - 100, 9000, 1000)
	`
	const often = await campaignTo(20, { isFloorUsed: true })
	await product.db`
		insert into daily_totals (account_id, day, spent_paise, refunded_paise)
		values (${often.accountId}, ${INDIAN_TODAY} - 100, 5000, 5000)
	`
	for (const one of [fresh, known, often]) {
		await become(one, 'sent', seqs(1, 20))
		for (const seq of seqs(1, 20)) await become(one, 'failed', [seq])
	}
	const refunded = await Promise.all([fresh, known, often].map(availableOf))
	assert.deepEqual(refunded, [3 * PRICE_PAISE, 4 * PRICE_PAISE, 6 * PRICE_PAISE])
	assert.deepEqual(await findings(), [])
})

/** Returns status updates in which twenty messages are accepted and then fail. */
function steps(of: Campaign): MessageUpdate[] {
	return seqs(1, 20).flatMap((seq) => [
		messageUpdate(of, seq, { status: 'sent' }),
		messageUpdate(of, seq, { status: 'failed' }),
	])
}

test('settling charges and failures one by one, in one batch or in two batches writes the same ledger', async () => {
	const made = await Promise.all([1, 2, 3].map(() => campaignTo(20, { isFloorUsed: true })))
	const [apart, together, some] = made
	assert.ok(apart && together && some)
	for (const step of steps(apart)) await settleAll(apart, [step])
	await settleAll(together, steps(together))
	await settleAll(some, steps(some).slice(0, 17))
	await settleAll(some, steps(some).slice(17))
	const seen = await Promise.all(made.map(async (of) => [await availableOf(of), (await waitingOf(of))[0]?.messages]))
	assert.deepEqual(seen[1], seen[0])
	assert.deepEqual(seen[2], seen[0])
	assert.ok(Number(seen[0]?.[0]) > 0 && Number(seen[0]?.[1]) > 0)
	assert.deepEqual(await findings(), [])
})

test('decideRefund refunds the waiting money once for concurrent approvals, and notifies the account', async () => {
	const given = await campaignTo(10, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 10))
	await become(given, 'failed', seqs(1, 6))
	const [waiting] = await waitingOf(given)
	assert.equal(waiting?.messages, 5)
	const answers = await Promise.all([decide(waiting, 'approve'), decide(waiting, 'approve'), decide(waiting, 'refuse')])
	const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
	assert.deepEqual(statuses, [200, 409, 409])
	assert.equal((await decide(waiting, 'approve')).status, 409)
	const isApproved = answers[2]?.status !== 200
	assert.equal(await availableOf(given), isApproved ? 600 : 100)
	assert.deepEqual(await waitingOf(given), [])
	assert.deepEqual(await findings(), [])
	const [note] = await product.db<{ text: string }[]>`
		select text from notifications where account_id = ${given.accountId} order by id desc limit 1
	`
	assert.match(note?.text ?? '', /₹5\.00/)
	const trail = await call(product.process.url, auth.adminActions, {
		query: { page: 1, limit: 5, search: given.email },
		token: admin.token,
	})
	assert.match(trail.body.actions[0]?.action ?? '', /^refund-(approved|refused)$/)
	assert.match(trail.body.actions[0]?.details ?? '', /₹5\.00 for 5 messages/)
})

test('decideRefund with a refusal keeps the charge, leaves no reconciliation finding, and later failures wait separately', async () => {
	const given = await campaignTo(10, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 10))
	await become(given, 'failed', seqs(1, 6))
	assert.equal((await decide((await waitingOf(given))[0], 'refuse')).status, 200)
	assert.equal(await availableOf(given), 100)
	assert.deepEqual(await findings(), [])
	await become(given, 'failed', [7, 8])
	const [later] = await waitingOf(given)
	assert.deepEqual([later?.messages, later?.decisions], [2, 1])
	assert.equal((await decide(later, 'approve')).status, 200)
	assert.equal(await availableOf(given), 300)
	const report = await reportOf(given)
	assert.deepEqual([report.sentCount, report.cost, report.refundWaiting], [2, 7, 0])
	assert.deepEqual(await findings(), [])
})

test('decideRefund for fewer messages than wait leaves the others waiting, and returns 409 for more', async () => {
	const given = await campaignTo(10, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 10))
	await become(given, 'failed', seqs(1, 4))
	const [seen] = await waitingOf(given)
	assert.equal(seen?.messages, 3)
	await become(given, 'failed', [5])
	assert.equal((await decide({ ...seen, messages: 5 }, 'approve')).status, 409)
	assert.equal((await decide(seen, 'approve')).status, 200)
	assert.equal((await waitingOf(given))[0]?.messages, 1)
	assert.deepEqual(await findings(), [])
})

test('a message delivered after its refund began to wait or was refused is not charged twice', async () => {
	const given = await campaignTo(10, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 10))
	await become(given, 'failed', seqs(1, 6))
	await become(given, 'delivered', [6])
	assert.equal((await waitingOf(given))[0]?.messages, 4)
	assert.equal(await availableOf(given), 100)
	assert.deepEqual(await findings(), [])
	assert.equal((await decide((await waitingOf(given))[0], 'refuse')).status, 200)
	await become(given, 'read', [5])
	assert.equal(await availableOf(given), 100)
	assert.deepEqual(await findings(), [])
})

test('a forged failure that arrives before the response to its message waits for an admin, and the message stays charged', async () => {
	const given = await campaignTo(4, { isFloorUsed: true })
	const early = seqs(1, 4).map((seq) => messageUpdate(given, seq, { status: 'failed', isStatusUpdate: true }))
	await settleAll(given, early)
	await become(given, 'sent', seqs(1, 4))
	assert.equal(await availableOf(given), 0)
	assert.equal((await waitingOf(given))[0]?.messages, 4)
	assert.deepEqual(await findings(), [])
	const refused = await campaignTo(4, { isFloorUsed: true })
	await become(refused, 'failed', seqs(1, 4))
	assert.equal(await availableOf(refused), 4 * PRICE_PAISE, 'WhatsApp’s own answer gives the hold back at once')
})

test('refunds of messages without a status update wait separately from refunds of failed messages', async () => {
	const given = await campaignTo(4, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 4))
	const { code, text } = OWN_ERRORS.expired
	await settleAll(given, [
		messageUpdate(given, 1, { status: 'failed' }),
		messageUpdate(given, 2, { status: 'failed', errorCode: code, error: text }),
		messageUpdate(given, 3, { status: 'failed', errorCode: code, error: text }),
	])
	const waiting = (await waitingOf(given)).map(({ reason, messages }) => [reason, messages])
	assert.deepEqual(waiting.toSorted(), [
		['reported', 1],
		['silence', 2],
	])
	assert.deepEqual(await findings(), [])
})

test("announceWaitingRefunds notifies each admin once when an account's refunds begin to wait", async () => {
	const given = await campaignTo(4, { isFloorUsed: true })
	await become(given, 'sent', seqs(1, 4))
	await become(given, 'failed', [1, 2])
	const { context } = product.process
	await announceWaitingRefunds(context)
	await become(given, 'failed', [3])
	await announceWaitingRefunds(context)
	const notes = await product.db`
		select 1 from notifications where account_id = ${admin.accountId} and text like ${`%${given.name}%`}
	`
	assert.equal(notes.length, 1)
})

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { eraseRecipient } from '#features/privacy/server/service.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { moneyFindings, campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { until } from './until.ts'

const RECIPIENTS = 150
const PER_SECOND = 40
/** Number of messages sent before the outage. */
const BEFORE_OUTAGE = 20
/** Duration of the outage: longer than the interval between two probes. */
const OUTAGE_MS = 6000
/**
 * Maximum number of messages that an outage may affect: a burst, the messages of the second that a busy machine needs to detect
 * it, and the probes.
 */
const MAX_CONCERNED = 90

let product: Product
before(async () => {
	product = await startProduct({ env: { UNKNOWN_AFTER: '2' } })
})
afterEach(() => product.simulator.control.clearFaults())
after(() => product.close())

async function campaignInOutage(fault: Partial<Fault>) {
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PER_SECOND })
	const { phone_number_id } = sender.credentials
	// The fault starts after a number of calls: a busy machine may finish a running campaign before a test could add it.
	await product.simulator.control.addFault({ phone_number_id, skip: BEFORE_OUTAGE, ...fault } as Fault)
	const campaignId = await startCampaign(product, sender)
	const campaign = { ...sender, campaignId }
	return { campaign, when: (isSo: Parameters<typeof campaignWhen>[2]) => campaignWhen(product, campaign, isSo) }
}

async function claimedThrough(campaignId: number) {
	const [row] = await product.db<{ through: number }[]>`
		select claimed_through as through from campaigns where id = ${campaignId}
	`
	return row?.through ?? 0
}

/** Returns the number of messages that the account's worker has claimed; 0 in an outage, except for a probe. */
async function claimedMessages(accountId: number) {
	const [row] = await product.db<{ count: number }[]>`
		select coalesce(sum(cardinality(seqs)), 0)::int as count from message_claims where account_id = ${accountId}
	`
	return row?.count
}

async function receivedOnce(accountId: number) {
	const counts = Object.entries(await product.simulator.control.receivedCounts())
	const own = counts.filter(([number]) => number.startsWith(`9155${String(accountId).padStart(3, '0')}`))
	assert.ok(own.every(([, count]) => count === 1))
	return own.length
}

describe('a sender in an outage', () => {
	test('a sender stops claiming while Meta answers 503 to everything, shows the reason on the campaign, and resumes when Meta answers again', async () => {
		const { campaign, when } = await campaignInOutage({ kind: 'server-error', accepted: false, status: 503 })
		const waiting = await when((c) => c.waitingReason !== null)
		assert.equal(waiting.waitingReason, 'WhatsApp is not answering. Sending continues by itself.')
		const causes = await product.db`select waiting_cause as cause from senders where account_id = ${campaign.accountId}`
		assert.deepEqual(causes, [{ cause: 'The network answered with HTTP 503' }])
		await sleep(OUTAGE_MS)
		const during = await when(() => true)
		assert.equal(during.status, 'processing')
		assert.ok(waiting.pending - during.pending <= MAX_CONCERNED, `${waiting.pending} then ${during.pending} pending`)
		await product.simulator.control.clearFaults()
		const done = await when((c) => c.status === 'completed')
		assert.equal(done.waitingReason, null)
		assert.ok(done.failed <= MAX_CONCERNED, `${done.failed} failed`)
		assert.equal(await receivedOnce(campaign.accountId), RECIPIENTS - done.failed)
		const reasons = await product.db`
			select distinct error_code as code from campaign_failures where campaign_id = ${campaign.campaignId}
		`
		assert.ok(reasons.every(({ code }) => code === OWN_ERRORS.unconfirmed.code))
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	for (const code of [4, 80007]) {
		test(`a sender uses up no attempt and fails no message while Meta answers code ${code} to everything`, async () => {
			const { campaign, when } = await campaignInOutage({ kind: 'error', code })
			await when((c) => c.waitingReason?.includes('Sending continues by itself.') ?? false)
			const claimedBefore = await claimedThrough(campaign.campaignId)
			await sleep(OUTAGE_MS)
			const claimed = (await claimedThrough(campaign.campaignId)) - claimedBefore
			assert.ok(claimed <= MAX_CONCERNED, `${claimed} claimed during the outage`)
			const [row] = await product.db<{ attempts: number | null }[]>`
				select max(attempts) as attempts from unsettled_messages where account_id = ${campaign.accountId}
			`
			assert.equal(row?.attempts ?? 0, 0)
			await product.simulator.control.clearFaults()
			const done = await when((c) => c.status === 'completed')
			assert.equal(done.failed, 0)
			assert.equal(await receivedOnce(campaign.accountId), RECIPIENTS)
			assert.deepEqual(await moneyFindings(product.db), [])
		})
	}

	test('a person who opts out or is erased during an outage gets no message that was claimed before it', async () => {
		const { db, process, simulator } = product
		const { campaign, when } = await campaignInOutage({ kind: 'server-error', accepted: false, status: 503 })
		const { accountId } = campaign
		await when((c) => c.waitingReason !== null)
		// The timeout is shorter than the maximum age of claims: the outage itself releases the claims.
		await until(async () => (await claimedMessages(accountId)) === 0, 3500)
		const rows = await db<{ number: string }[]>`
			select number from campaign_messages where campaign_id = ${campaign.campaignId} and status = 'pending' order by seq
		`
		const [erased = '', ...others] = rows.map(({ number }) => number)
		await eraseRecipient(process.context, accountId, { number: erased, userId: Number(campaign.userId) })
		await setOptOuts(db, accountId, { numbers: others, optedOut: true, because: 'reply' })
		const countsBefore = await simulator.control.receivedCounts()
		await simulator.control.clearFaults()
		await when((c) => c.status === 'completed')
		assert.deepEqual(await simulator.control.receivedCounts(), countsBefore)
		assert.deepEqual(await moneyFindings(db), [])
	})

	test('a sender in an outage does not delay another sender', async () => {
		const { when } = await campaignInOutage({ kind: 'server-error', accepted: false, status: 503 })
		await when((c) => c.waitingReason !== null)
		const other = await sendingAccount(product, { contacts: 100 })
		const campaignId = await startCampaign(product, other)
		const done = await campaignWhen(product, { ...other, campaignId }, (c) => c.status === 'completed')
		assert.deepEqual([done.failed, done.waitingReason], [0, null])
	})
})

test('every message is sent once when no send log can be written', async (t) => {
	const folder = process.env.TMPDIR
	t.after(() => {
		if (folder === undefined) delete process.env.TMPDIR
		else process.env.TMPDIR = folder
	})
	process.env.TMPDIR = '/nonexistent'
	const sender = await sendingAccount(product, { contacts: 50 })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'completed' && c.failed === 0)
	assert.equal(await receivedOnce(sender.accountId), 50)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { OWN_ERRORS, THROTTLED_CODE } from '#features/delivery/rules.ts'
import { followNumberHandlers } from '#features/delivery/server/sweeps/follow-number.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { listJobs, Postponed } from '#lib/server/jobs/jobs.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { NOW, moved } from '#test/scenes/changed-people.ts'
import { claimed, read, retriesOf, sentCampaign, updateStatuses, type Sent } from '#test/scenes/sent-campaign.ts'
import { retryFailed } from './retry-service.ts'

/** A failure that may be temporary. */
const OVERLOADED = 131056

// The product runs without a worker, because the tests deliver the status updates.
const product = await launchProduct({ env: { ROLE: 'http' } })

const retry = async (sent: Sent) =>
	retryFailed(product.db, sent.sender.accountId, { campaign: await read(sent), requestId: null })

/** Retries a campaign and claims the new campaign's messages, as a worker does. Returns the new campaign. */
const retryAndSend = async (sent: Sent) => claimed({ ...sent, campaignId: await retry(sent) })

const recipientsOf = async (sent: Sent) => (await retriesOf(sent)).map(({ to }) => to)

const get = async ({ sender }: Sent, id: number) => {
	const given = { params: { id: String(id) }, query: { page: 1, limit: 1 }, token: sender.token }
	return (await call(product.process.url, campaigns.get, given)).body.campaign
}

const estimateOf = async ({ sender, campaignId }: Sent) => {
	const given = { params: { id: String(campaignId) }, token: sender.token }
	return (await call(product.process.url, campaignReports.retryEstimate, given)).body
}

/** Enough money for two messages each, so that the wallet is not what prevents a second message. */
const RICH = { balancePaise: 10_000 }

test('a throttled message fails and is free, and its campaign is completed', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, ['sent', null])
	await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE])
	const { status, failed } = await read(sent)
	assert.deepEqual([status, failed], ['completed', 2])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: 200, heldPaise: 0 })
})

test('a retry sends messages whose failure may be temporary, leaves out throttled ones, and its estimate has the same counts', async () => {
	const sent = await sentCampaign(product, 4, RICH)
	await updateStatuses(sent, [THROTTLED_CODE, OVERLOADED, 131026, THROTTLED_CODE])
	const { failed, heldBack, notWorthIt, recipients, cost } = await estimateOf(sent)
	assert.deepEqual(
		{ failed, heldBack, notWorthIt, recipients, cost },
		{ failed: 4, heldBack: 2, notWorthIt: 1, recipients: 1, cost: 1 },
	)
	await retry(sent)
	assert.deepEqual(await recipientsOf(sent), ['1'])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry is refused when only throttled messages failed, and holds nothing', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [THROTTLED_CODE])
	await assert.rejects(retry(sent), { status: 400, message: 'This campaign has no recipients' })
	assert.deepEqual(await retriesOf(sent), [])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: 10_000, heldPaise: 0 })
})

test('a retry leaves out a message that an earlier retry sent and WhatsApp throttled', async () => {
	const sent = await sentCampaign(product, 2, RICH)
	await updateStatuses(sent, [OVERLOADED, OVERLOADED])
	await updateStatuses(await retryAndSend(sent), [THROTTLED_CODE, OVERLOADED])
	assert.equal((await estimateOf(sent)).recipients, 1)
	await retry(sent)
	assert.deepEqual(await recipientsOf(sent), ['01', '1'])
})

test('retries of one campaign at the same time reach each recipient once', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 3, RICH)
		await updateStatuses(sent, [OVERLOADED, OVERLOADED, OVERLOADED])
		await Promise.allSettled([retry(sent), retry(sent), retry(sent)])
		assert.deepEqual(await recipientsOf(sent), ['012'])
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('retries of a campaign and of its retry at the same time reach each recipient once', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 2, RICH)
		await updateStatuses(sent, [OVERLOADED, OVERLOADED])
		const first = await retryAndSend(sent)
		await updateStatuses(first, [OVERLOADED, OVERLOADED])
		await Promise.allSettled([retry(sent), retry(first), retry(sent), retry(first)])
		assert.deepEqual(await recipientsOf(sent), ['01', '01'])
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry leaves out recipients whom another retry of the same family of campaigns has reached', async () => {
	const sent = await sentCampaign(product, 2, RICH)
	await updateStatuses(sent, [OVERLOADED, OVERLOADED])
	const first = await retryAndSend(sent)
	await updateStatuses(first, [OVERLOADED, 'delivered'])
	await retry(first)
	assert.deepEqual(await recipientsOf(sent), ['01', '0'])
	await assert.rejects(retry(sent), { status: 400 })
	await assert.rejects(retry(first), { status: 400 })
})

test('campaigns.get returns a campaign and its retry in both directions, also of an automatic retry of release 1.0.0', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [OVERLOADED])
	const id = await retry(sent)
	// Release 1.0.0 stored a follow-up with these values while the next one was due.
	await product.db`
		update campaigns set name = 'Sale (follow-up 1)', retry_held_back = true, follow_up_number = 1, follow_up_at = now()
		where id = ${id}
	`
	const [before, made] = [await get(sent, sent.campaignId), await get(sent, id)]
	assert.deepEqual(before.retries, [{ _id: String(id), name: 'Sale (follow-up 1)' }])
	assert.deepEqual(made.retryOf, { _id: String(sent.campaignId), name: before.name })
	assert.deepEqual([made.status, made.onHold], ['pending', 1])
})

test('a status update for a message of an earlier release, whose id counts attempts, settles it', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, ['delivered'], ':2')
	assert.equal((await read(sent)).delivered, 1)
})

const PRESENT = '919811122099'
const numberOf = ({ accountId }: Sent['sender'], index: number) =>
	`9155${String(accountId).padStart(3, '0')}00000${index}`

/** Lets the first customer change to PRESENT, and the second to the number of the third. WhatsApp reports both now. */
async function changeNumbers(sender: Sent['sender']) {
	// WhatsApp's clock is ahead, so that the change is of now, after the campaign.
	const ago = NOW - Math.ceil(Date.now() / 1000) - 60
	const values = [moved(numberOf(sender, 0), PRESENT, ago), moved(numberOf(sender, 1), numberOf(sender, 2), ago)]
	await transaction(product.db, (sql) => receiveMessages(sql, sender.accountId, values))
}

/** Runs the jobs of one kind that changes of numbers have added; the others run minutes later. */
async function followNumbers(
	{ accountId }: Sent['sender'],
	kind: 'follow-number' | 'follow-number-again' = 'follow-number',
) {
	const handler = followNumberHandlers(product.process.context).find((one) => one.kind.name === kind)
	const jobs = handler ? await listJobs(product.db, handler.kind) : []
	const own = jobs.filter((job) => 'accountId' in job && job.accountId === accountId)
	assert.ok(own.length > 0)
	for (const data of own) await handler?.run({ data, signal: new AbortController().signal, isMine: async () => true })
}

/** Returns the claimed messages that are still pending to the queue of retries. */
async function returnToQueue({ sender: { accountId }, campaignId }: Sent) {
	await transaction(product.db, async (sql) => {
		await sql`delete from message_claims where account_id = ${accountId}`
		await sql`
			insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
			select account_id, campaign_id, seq, now() from campaign_messages
			where account_id = ${accountId} and campaign_id = ${campaignId} and status = 'pending'
		`
	})
}

const messagesOf = ({ accountId }: Sent['sender'], campaignId: number) =>
	product.db<{ number: string; listed: string | null; code: number | null }[]>`
		select number, listed_number as listed, error_code as code from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
	`

test('a retry goes to the present number of a person who has changed it, and once to a person with both numbers', async () => {
	const sent = await sentCampaign(product, 3, RICH)
	await updateStatuses(sent, [OVERLOADED, OVERLOADED, OVERLOADED])
	await changeNumbers(sent.sender)
	assert.equal((await estimateOf(sent)).recipients, 2)
	await retry(sent)
	assert.deepEqual(await recipientsOf(sent), ['92'])
	await assert.rejects(retry(sent), { status: 400 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry leaves out a person who has opted out with the former number', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [OVERLOADED])
	await changeNumbers(sent.sender)
	const [former] = [numberOf(sent.sender, 0)]
	await product.db`
		insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
		values (${sent.sender.accountId}, ${former}, true, 'manual', now(), now())
	`
	assert.deepEqual([(await estimateOf(sent)).recipients, (await estimateOf(sent)).optedOut], [0, 1])
})

test('pending messages follow a person to the present number and keep the listed one, once to a person with both numbers', async () => {
	for (const hasBegun of [false, true]) {
		const sender = await sendingAccount(product, { contacts: 3, balancePaise: 300 })
		const campaignId = await startCampaign(product, sender, LATER)
		if (hasBegun) await product.db`update campaigns set status = 'paused', started_at = now() where id = ${campaignId}`
		await changeNumbers(sender)
		await followNumbers(sender)
		assert.deepEqual(
			[...(await messagesOf(sender, campaignId))],
			[
				{ number: PRESENT, listed: numberOf(sender, 0), code: null },
				// A campaign that has not begun may be priced anew, while all its messages are pending. The claim fails this one.
				{ number: numberOf(sender, 2), listed: numberOf(sender, 1), code: hasBegun ? OWN_ERRORS.repeated.code : null },
				{ number: numberOf(sender, 2), listed: null, code: null },
			],
		)
		const wallet = hasBegun ? { availablePaise: 100, heldPaise: 200 } : { availablePaise: 0, heldPaise: 300 }
		assert.deepEqual(await getWallet(product.db, sender.accountId), wallet)
		assert.deepEqual(await moneyFindings(product.db), [])
	}
})

test('a message in flight keeps its number, and follows once it is back in the queue', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	const { sender, campaignId } = sent
	await changeNumbers(sender)
	await assert.rejects(followNumbers(sender), Postponed)
	assert.equal((await messagesOf(sender, campaignId))[0]?.number, numberOf(sender, 0))
	await returnToQueue(sent)
	await followNumbers(sender, 'follow-number-again')
	assert.equal((await messagesOf(sender, campaignId))[0]?.number, PRESENT)
})

test('a pending message to the present number fails when WhatsApp accepted or throttled the message to the former number', async () => {
	for (const outcome of ['delivered', THROTTLED_CODE] as const) {
		const sent = await sentCampaign(product, 3, RICH)
		const { sender, campaignId } = sent
		await updateStatuses(sent, [null, outcome, null])
		await returnToQueue(sent)
		await changeNumbers(sender)
		await followNumbers(sender)
		const [first, , third] = await messagesOf(sender, campaignId)
		assert.deepEqual([first?.number, first?.code], [PRESENT, null])
		assert.deepEqual(third, { number: numberOf(sender, 2), listed: null, code: OWN_ERRORS.repeated.code })
		assert.deepEqual(await moneyFindings(product.db), [])
	}
})

test('a pending message does not follow to a number whose message WhatsApp throttled, and one that comes back has no listed number', async () => {
	const sent = await sentCampaign(product, 3, RICH)
	const { sender, campaignId } = sent
	await updateStatuses(sent, [null, null, THROTTLED_CODE])
	await returnToQueue(sent)
	await changeNumbers(sender)
	await followNumbers(sender)
	assert.equal((await messagesOf(sender, campaignId))[1]?.code, OWN_ERRORS.repeated.code)
	const back = moved(PRESENT, numberOf(sender, 0), NOW - Math.ceil(Date.now() / 1000) - 120)
	await transaction(product.db, (sql) => receiveMessages(sql, sender.accountId, [back]))
	await followNumbers(sender)
	assert.deepEqual((await messagesOf(sender, campaignId))[0], { number: numberOf(sender, 0), listed: null, code: null })
	assert.deepEqual(await moneyFindings(product.db), [])
})

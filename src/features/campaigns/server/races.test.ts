import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import {
	campaignForm,
	campaignWhen,
	launchProduct,
	moneyFindings,
	sendingAccount,
	startCampaign,
} from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'

/** A failure of accepted messages that may be temporary. */
const FAULT = { kind: 'fail-later', code: 131000 } as const

const product = await launchProduct({ statuses: { readRate: 0 } })

type Sender = Awaited<ReturnType<typeof sendingAccount>>

/** Sends a campaign whose messages all fail. Returns its id. */
async function failedCampaign(sender: Sender, contacts: number): Promise<string> {
	await product.simulator.control.addFault({
		...FAULT,
		times: contacts,
		phone_number_id: sender.credentials.phone_number_id,
	})
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ failed }) => failed === contacts)
	return String(campaignId)
}

const retry = (sender: Sender, id: string, requestId?: string) =>
	call(product.process.url, campaignReports.retryFailed, {
		params: { id },
		body: requestId === undefined ? {} : { requestId },
		token: sender.token,
	})

const cancel = (sender: Sender, id: string) =>
	call(product.process.url, campaigns.cancel, { params: { id }, token: sender.token })

async function campaignsOf(sender: Sender): Promise<number> {
	const [row] = await product.db<{ count: number }[]>`
		select count(*) as count from campaigns where account_id = ${sender.accountId}
	`
	return row?.count ?? 0
}

async function mostReceived(sender: Sender): Promise<number> {
	const rows = await product.db<{ number: string }[]>`
		select distinct number from campaign_messages where account_id = ${sender.accountId}
	`
	const received = await Promise.all(rows.map(({ number }) => product.simulator.control.received(number)))
	return Math.max(...received.map(({ accepted }) => accepted))
}

test('five retries at once create one campaign, and each failed recipient gets one message', async () => {
	const contacts = 20
	const sender = await sendingAccount(product, { contacts, balancePaise: 100_000 })
	const id = await failedCampaign(sender, contacts)
	const answers = await Promise.all(Array.from({ length: 5 }, () => retry(sender, id, randomUUID())))
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400])
	const made = answers.find(({ status }) => status === 200)
	const retryId = Number(made?.body.campaign._id)
	await campaignWhen(
		product,
		{ accountId: sender.accountId, campaignId: retryId },
		({ delivered }) => delivered === contacts,
	)
	assert.equal(await mostReceived(sender), 2, 'the failed message and its retry')
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry that is cancelled leaves its recipients to the next retry, and no recipient gets two messages', async () => {
	const contacts = 50
	const sender = await sendingAccount(product, { contacts, balancePaise: 100_000, perSecond: 40 })
	const id = await failedCampaign(sender, contacts)
	const first = await retry(sender, id)
	const firstId = first.body.campaign._id
	const [, second] = await Promise.all([cancel(sender, firstId), retry(sender, id)])
	const ended = await campaignWhen(
		product,
		{ accountId: sender.accountId, campaignId: Number(firstId) },
		({ pending, status }) => pending === 0 && (status === 'cancelled' || status === 'completed'),
	)
	const third = second.status === 200 ? second : await retry(sender, id)
	if (third.status === 200) {
		const campaignId = Number(third.body.campaign._id)
		await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ pending }) => pending === 0)
	} else assert.equal(ended.sent + ended.delivered + ended.read, contacts)
	assert.equal(await mostReceived(sender), 2, 'the failed message and its retry')
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a campaign that is cancelled while its failures are retried sends each failed message again at most once', async () => {
	const contacts = 60
	const sender = await sendingAccount(product, { contacts, balancePaise: 100_000, perSecond: 40 })
	await product.simulator.control.addFault({ ...FAULT, times: 10, phone_number_id: sender.credentials.phone_number_id })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ failed }) => failed === 10)
	const id = String(campaignId)
	await Promise.all([retry(sender, id), cancel(sender, id), retry(sender, id), cancel(sender, id)])
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ pending }) => pending === 0)
	assert.ok((await mostReceived(sender)) <= 2, 'the failed message and its retry')
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a test message that is submitted five times with one request id is sent and charged once', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 300 })
	const requestId = randomUUID()
	const { templateId } = sender
	const body = { templateId, variables: { var1: 'Asha' }, number: '98765 43210', requestId }
	const answers = await Promise.all(
		Array.from({ length: 5 }, () =>
			call(product.process.url, campaignPreflight.sendTest, { body, token: sender.token }),
		),
	)
	assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
	const ids = new Set(answers.map(({ body: { campaign } }) => campaign._id))
	assert.equal(ids.size, 1)
	const campaignId = Number([...ids][0])
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ delivered }) => delivered === 1)
	assert.equal(await campaignsOf(sender), 1)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a campaign is sent with the last accepted edit, however shortly before its opening', async () => {
	const contacts = 5
	const sender = await sendingAccount(product, { contacts })
	const timezone = 'Asia/Kolkata'
	const timing = { schedule: 'later', scheduleDatetime: '2030-01-01T10:00:00', timezone } as const
	const campaignId = await startCampaign(product, sender, campaignForm(sender.templateId, timing))
	const edit = async (value: string) => {
		const { status } = await call(product.process.url, campaigns.update, {
			params: { id: String(campaignId) },
			body: { name: 'Edited', variables: { var1: value }, schedule: 'now', timezone },
			token: sender.token,
		})
		return { value, status }
	}
	let last = ''
	for (let round = 0; ; round++) {
		const { value, status } = await edit(`edit ${round}`)
		if (status !== 200) {
			assert.equal(status, 409)
			break
		}
		last = value
	}
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ delivered }) => delivered === contacts)
	const rows = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${sender.accountId}
	`
	for (const { number } of rows) {
		const { accepted, messages } = await product.simulator.control.received(number)
		assert.equal(accepted, 1)
		assert.match(JSON.stringify(messages), new RegExp(`"${last}"`))
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

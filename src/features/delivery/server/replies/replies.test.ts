import assert from 'node:assert/strict'
import { test } from 'node:test'
import Papa from 'papaparse'
import { segments } from '#features/audiences/segment-contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { findCachedCount } from '#features/contacts/server/count-queries.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { apiKey } from '#test/factories.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { findReplied } from './replies.ts'

const product = await launchProduct({ statuses: { readRate: 0 } })

const NAMED_BODY = {
	type: 'BODY',
	text: 'Hello {{first_name}}, your order is ready.',
	example: { body_text_named_params: [{ param_name: 'first_name', example: 'Asha' }] },
}

/** Sends a campaign with a named variable to three contacts. Resolves when it is delivered. */
async function deliveredCampaign() {
	const { simulator, process, db } = product
	const sender = await sendingAccount(product, { contacts: 3 })
	const { accountId, credentials } = sender
	await simulator.control.addTemplate({
		waba_id: credentials.waba_id,
		name: 'order_ready',
		category: 'MARKETING',
		parameter_format: 'NAMED',
		components: [NAMED_BODY],
	})
	await syncTemplates(process.context, accountId)
	const [template] = await db<{ id: string }[]>`
		select template_id as id from templates where account_id = ${accountId} and name = 'order_ready'
	`
	const variables = { first_name: '{{firstName}}' }
	const order = { ...sender, templateId: template?.id ?? '' }
	const campaignId = await startCampaign(product, order, { variables })
	await campaignWhen(product, { accountId, campaignId }, ({ delivered }) => delivered === 3)
	const messages = await db<{ number: string; wamid: string }[]>`
		select number, wamid from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
	`
	const reply = ({ number, wamid }: { number: string; wamid: string }) =>
		simulator.control.sendInbound({
			phone_number_id: credentials.phone_number_id,
			from: number,
			context_id: wamid,
			content: { body: 'Is it still there?' },
		})
	return { sender, id: String(campaignId), messages, reply }
}

test('a recipient who replies is counted once, exported as replied, and put into the group of those who replied', async () => {
	const { sender, id, messages, reply } = await deliveredCampaign()
	const { url, context } = product.process
	const ask = { params: { id }, token: sender.token }
	const [first, second] = messages
	assert.ok(first && second)
	for (const message of [first, first, second]) await reply(message)
	await until(async () => {
		const { body } = await call(url, campaigns.get, { ...ask, query: { page: 1, limit: 1 } })
		return body.campaign.repliedCount === 2
	})

	const query = { of: 'replied' } as const
	const estimate = await call(url, campaignReports.groupEstimate, { ...ask, query })
	assert.deepEqual(estimate.body, { recipients: 2, moved: 0, added: 0 })
	const made = await call(url, campaignReports.createGroup, { ...ask, body: { name: 'Answered', of: 'replied' } })
	assert.equal(made.status, 200, made.body.message)
	assert.equal(await findCachedCount(context.db, sender.accountId, Number(made.body.group._id)), 2)

	const response = await fetch(`${url}/api/campaigns/${id}/export`, {
		headers: { authorization: `Bearer ${sender.token}` },
	})
	const { data } = Papa.parse<{ Replied: string }>((await response.text()).trim(), { header: true })
	assert.deepEqual(
		data.map((row) => row.Replied),
		['yes', 'yes', 'no'],
	)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('report, list, dashboard, group, segment, export and /v1 show the same shares of delivered and replied', async () => {
	const { sender, id, messages, reply } = await deliveredCampaign()
	const { url, context } = product.process
	const { accountId, token } = sender
	const [first, second, third] = messages
	assert.ok(first && second && third)
	// The first recipient types, the second quotes, and the message to the third has failed.
	await product.simulator.control.sendInbound({
		phone_number_id: sender.credentials.phone_number_id,
		from: first.number,
		content: { body: 'How much is it?' },
	})
	await reply(second)
	await product.db`
		update campaign_messages set status = 'failed' where account_id = ${accountId} and campaign_id = ${id} and number = ${third.number}
	`
	await product.db`
		update campaigns set delivered_count = 2, failed_count = 1 where account_id = ${accountId} and id = ${id}
	`
	const ask = { params: { id }, token }
	const reportOf = async () => (await call(url, campaigns.get, { ...ask, query: { page: 1, limit: 1 } })).body.campaign
	await until(async () => (await reportOf()).repliedCount === 2)

	const { deliveredCount, totalCount, repliedCount, quotedCount, arrivingCount } = await reportOf()
	assert.deepEqual([deliveredCount, totalCount, repliedCount, quotedCount, arrivingCount], [2, 3, 2, 1, 0])
	const list = await call(url, campaigns.list, { token, query: { page: 1, limit: 10, search: '', tests: 'hide' } })
	const [listed] = list.body.campaigns
	assert.deepEqual(
		[listed?.deliveredCount, listed?.totalCount, listed?.repliedCount, listed?.quotedCount],
		[2, 3, 2, 1],
	)
	const { body: dashboard } = await call(url, dashboards.user, { token })
	assert.equal(dashboard.month.deliveryRate, 2 / 3)
	const group = await call(url, campaignReports.groupEstimate, { ...ask, query: { of: 'replied' } })
	assert.equal(group.body.recipients, 2)
	const rules = [{ kind: 'replied', is: true, campaign: id }] as const
	const segment = await call(url, segments.count, { token, body: { match: 'all', rules: [...rules] } })
	assert.equal(segment.body.contacts, 2)
	const file = await fetch(`${url}/api/campaigns/${id}/export`, { headers: { authorization: `Bearer ${token}` } })
	const rows = Papa.parse<Record<string, string>>((await file.text()).trim(), { header: true }).data
	assert.equal(rows.filter((row) => row['Replied'] === 'yes').length, 2)
	assert.equal(rows.filter((row) => row['Message Status'] === 'delivered').length, 2)
	const key = await apiKey(context.db, sender)
	const v1 = await fetch(`${url}/v1/campaigns/${id}`, { headers: { authorization: `Bearer ${key.token}` } })
	const { counts, replied, quoted, arriving } = (await v1.json()) as Record<string, unknown>
	assert.deepEqual(
		[counts, replied, quoted, arriving],
		[{ pending: 0, sent: 0, delivered: 2, read: 0, failed: 1, total: 3 }, 2, 1, 0],
	)
})

test('findReplied returns a quoted message with its named variables filled in, as its recipient read it', async () => {
	const { sender, messages } = await deliveredCampaign()
	const [found] = await findReplied(product.db, sender.accountId, messages.slice(0, 1))
	assert.equal(found?.text, 'Hello Contact 0, your order is ready.')
})

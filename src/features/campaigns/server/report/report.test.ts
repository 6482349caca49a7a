import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { findCachedCount } from '#features/contacts/server/count-queries.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { MessageUpdate } from '#features/delivery/server/settlement/message-changes.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { moneyFindings } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

interface Sent {
	who: TestAccount
	id: string
	accountId: AccountId
}

const COUNT = 2500
const AT = Date.UTC(2026, 10, 20, 10, 0, 0)

/** Creates a campaign to a file of `count` people and applies `updates` to its messages. */
async function sentCampaign(count: number, updates: Partial<MessageUpdate>[]): Promise<Sent> {
	const who = await account(app.context, { balancePaise: count * 300 })
	const { templateId } = await template(app.context.db, who.accountId)
	const rows = Array.from({ length: count }, (_, at) => `Person ${at + 1},${9_000_000_000 + at},=City ${at + 1}`)
	const fields = {
		name: 'Festive offer',
		templateId,
		variables: JSON.stringify({ var1: '{{firstName}}, {{city}}' }),
		audienceType: 'file' as const,
	}
	const file = new File([['name,number,city', ...rows].join('\n')], 'people.csv', { type: 'text/csv' })
	const { status, body } = await app.call(campaigns.create, { body: fields, files: { file } }, who)
	assert.equal(status, 200, body.message)
	const { _id: id } = body.campaign
	await report({ who, id, accountId: who.accountId }, updates)
	return { who, id, accountId: who.accountId }
}

async function report({ id, accountId }: Sent, updates: Partial<MessageUpdate>[]): Promise<void> {
	const facts = { campaignId: Number(id), at: new Date(AT), wamid: null, errorCode: null, error: null }
	const full = updates.map((update) => ({ ...facts, seq: 1, status: 'sent' as const, ...update }))
	if (full.length > 0)
		await transaction(app.context.db, (sql) => settle(sql, accountId, { updates: full, notify: async () => {} }))
}

const failed = (seq: number, errorCode = 131026): Partial<MessageUpdate> => ({
	seq,
	status: 'failed',
	errorCode,
	error: 'In order to maintain a healthy ecosystem engagement',
})

function page(
	{ who, id }: Sent,
	query: { page?: number; status?: 'failed' | 'pending' | 'read'; search?: string } = {},
) {
	return app.call(campaigns.refresh, { params: { id }, query: { page: 1, limit: 10, search: '', ...query } }, who)
}

const seqsOf = ({ body }: Awaited<ReturnType<typeof page>>) => body.sentMessages.map(({ _id }) => Number(_id))

test('each page of the messages in one status has only messages in this status, and the totals follow every change', async () => {
	const sent = await sentCampaign(COUNT, [failed(7), failed(1003), failed(COUNT)])
	const first = await page(sent, { status: 'failed' })
	assert.deepEqual([seqsOf(first), first.body.totalPages], [[7, 1003, COUNT], 1])
	const pending = Array.from({ length: COUNT }, (_, at) => at + 1).filter((seq) => ![7, 1003, COUNT].includes(seq))
	for (const number of [1, 2, 100, 101, 249, 250]) {
		const answer = await page(sent, { status: 'pending', page: number })
		assert.deepEqual(seqsOf(answer), pending.slice((number - 1) * 10, number * 10), `page ${number}`)
		assert.equal(answer.body.totalPages, 250)
	}
	await report(sent, [
		{ seq: 7, status: 'delivered' },
		{ seq: 1003, status: 'read' },
	])
	assert.deepEqual(seqsOf(await page(sent, { status: 'failed' })), [COUNT])
	assert.deepEqual(seqsOf(await page(sent, { status: 'read' })), [1003])
	assert.deepEqual(await moneyFindings(app.context.db), [])
})

test('a search finds messages by name and by number, alone and within a status', async () => {
	const sent = await sentCampaign(30, [failed(12)])
	const byName = await page(sent, { search: 'person 12' })
	assert.deepEqual([seqsOf(byName), byName.body.sentMessages[0]?.name], [[12], 'Person 12'])
	assert.deepEqual(seqsOf(await page(sent, { search: '+91 90000 00011' })), [12])
	assert.deepEqual(seqsOf(await page(sent, { search: 'person 12', status: 'failed' })), [12])
	assert.deepEqual(seqsOf(await page(sent, { search: 'person 13', status: 'failed' })), [])
	assert.deepEqual(seqsOf(await page(sent, { search: '%' })), [])
})

test('failures are grouped by reason in plain words, the commonest first', async () => {
	const sent = await sentCampaign(5, [failed(1, 131049), failed(2), failed(3), failed(4, 987_654)])
	const { body } = await page(sent)
	assert.deepEqual(
		body.failures.map(({ code, count, title, isWorthRetrying }) => [code, count, title, isWorthRetrying]),
		[
			[131026, 2, 'Not reachable on WhatsApp', false],
			[131049, 1, 'Held back by WhatsApp', false],
			[987_654, 1, 'Refused by WhatsApp', false],
		],
	)
	assert.equal(body.sentMessages[0]?.error, 'Held back by WhatsApp')
	assert.ok(body.failures.every(({ meaning, advice }) => meaning !== '' && advice !== ''))
})

test('the timeline counts the status changes of all messages by the time at which they happened', async () => {
	const later = new Date(AT + 3 * MINUTE_MS)
	const sent = await sentCampaign(5, [{ seq: 1 }, { seq: 2 }, { seq: 3, at: later }, failed(4)])
	await report(sent, [{ seq: 1, status: 'read', at: later }])
	const { body } = await app.call(campaignReports.timeline, { params: { id: sent.id } }, sent.who)
	assert.deepEqual(body, {
		spanSeconds: 60,
		spans: [
			{ at: new Date(AT).toISOString(), sent: 2, delivered: 0, read: 0, failed: 1, clicks: 0 },
			{ at: later.toISOString(), sent: 1, delivered: 1, read: 1, failed: 0, clicks: 0 },
		],
	})
})

test('the export has every recipient with the outcome, and is an audience with the same values when it is uploaded', async () => {
	const sent = await sentCampaign(3, [{ seq: 1, status: 'read' }, failed(2, 131049)])
	const { id, who } = sent
	const { body } = await app.call(campaignReports.exportCsv, { params: { id }, query: {} }, who)
	const text = await (body as unknown as Blob).text()
	const [header, ...lines] = text
		.replace(/^\uFEFF/, '')
		.trimEnd()
		.split('\r\n')
	assert.equal(
		header,
		'Phone Number,Name,Message Status,Reason,Error Code,Sent At,Updated At,Replied,First Click,Clicks,firstName,city',
	)
	assert.deepEqual(
		lines.map((line) =>
			line
				.split(',')
				.filter((_, at) => ![5, 6].includes(at))
				.slice(0, 5)
				.join(),
		),
		[
			'(+91) 90000 00000,Person 1,read,,',
			'(+91) 90000 00001,Person 2,failed,Held back by WhatsApp,131049',
			'(+91) 90000 00002,Person 3,pending,,',
		].map((line) => line),
	)
	assert.ok(
		lines.every((line) => line.includes(`"'=City`)),
		'no formula',
	)
	const { body: detail } = await app.call(campaigns.get, { params: { id }, query: { page: 1, limit: 1 } }, who)
	const again = {
		name: 'Again',
		templateId: detail.campaign.templateId ?? '',
		variables: JSON.stringify(detail.campaign.variables),
		audienceType: 'file' as const,
	}
	const file = new File([text], 'campaign.csv', { type: 'text/csv' })
	const created = await app.call(campaigns.create, { body: again, files: { file } }, who)
	assert.equal(created.status, 200, created.body.message)
	const rows = await app.context.db<{ values: string[] }[]>`
		select merge_values as values from campaign_messages
		where account_id = ${sent.accountId} and campaign_id = ${created.body.campaign._id} order by seq
	`
	assert.deepEqual(
		rows.map(({ values }) => values),
		[1, 2, 3].map((n) => [`Person ${n}`, `=City ${n}`]),
	)
})

test('retryFailed sends once to recipients with a temporary failure, with their values, and never to recipients who have opted out', async () => {
	const codes = [131000, 131026, 131050, 131000, OWN_ERRORS.unconfirmed.code, 131056]
	const sent = await sentCampaign(
		7,
		codes.map((code, at) => failed(at + 1, code)),
	)
	const { id, who, accountId } = sent
	const opted = await contact(app.context.db, accountId, { number: '919000000003' })
	await optOutNumbers(app.context.db, accountId, { numbers: [opted.number], because: 'reply' })
	const plan = await app.call(campaignReports.retryEstimate, { params: { id } }, who)
	const { failed: failures, notWorthIt, optedOut, recipients, cost, problems } = plan.body
	assert.deepEqual([failures, notWorthIt, optedOut, recipients, cost, problems], [6, 3, 1, 2, 2, []])
	const made = await app.call(campaignReports.retryFailed, { params: { id }, body: { requestId: 'click-0001' } }, who)
	assert.equal(made.status, 200, made.body.message)
	const rows = await app.context.db<{ number: string; values: string[] }[]>`
		select number, merge_values as values from campaign_messages
		where account_id = ${accountId} and campaign_id = ${made.body.campaign._id} order by seq
	`
	assert.deepEqual(
		rows.map(({ number, values }) => [number, ...values]),
		[
			['919000000000', 'Person 1', '=City 1'],
			['919000000005', 'Person 6', '=City 6'],
		],
	)
	const same = await app.call(campaignReports.retryFailed, { params: { id }, body: { requestId: 'click-0001' } }, who)
	assert.equal(same.body.campaign._id, made.body.campaign._id)
	const other = await app.call(campaignReports.retryFailed, { params: { id }, body: {} }, who)
	assert.deepEqual([other.status, other.body.message], [400, 'This campaign has no recipients'])
	const { body } = await app.call(
		campaigns.get,
		{ params: { id: made.body.campaign._id }, query: { page: 1, limit: 1 } },
		who,
	)
	assert.deepEqual(body.campaign.retryOf, { _id: id, name: 'Festive offer' })
	assert.deepEqual(await moneyFindings(app.context.db), [])
})

test('retryFailed sends each failed message of a program again once, with its reference and metadata, also to a person who has got another message', async () => {
	const sent = await sentCampaign(3, [{ seq: 1, status: 'read' }, failed(2, 131056), failed(3, 131056)])
	const { id, who, accountId } = sent
	const { db } = app.context
	await db`update campaign_messages set number = '919000000000' where account_id = ${accountId}`
	await db`insert into message_references values (${accountId}, ${id}, 2, 'R 2', '{"till":"4"}')`
	const retry = (of: string) => app.call(campaignReports.retryFailed, { params: { id: of }, body: {} }, who)
	const valuesOf = async (campaignId: string) => {
		const rows = await db<{ values: string[] }[]>`
			select merge_values as values from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
		`
		return rows.map(({ values }) => values[0])
	}
	const first = (await retry(id)).body.campaign._id
	assert.deepEqual(await valuesOf(first), ['Person 2', 'Person 3'])
	assert.equal((await retry(id)).status, 400)
	await report({ ...sent, id: first }, [failed(1, 131056), { seq: 2, status: 'read' }])
	const second = (await retry(first)).body.campaign._id
	assert.deepEqual(await valuesOf(second), ['Person 2'])
	const [named] = await db`
		select array_agg(concat_ws(' ', campaign_id, seq, reference, metadata) order by campaign_id) as rows
		from message_references where account_id = ${accountId}
	`
	const copies = [`${id} 2`, `${first} 1`, `${second} 1`].map((of) => `${of} R 2 {"till":"4"}`)
	assert.deepEqual(named?.['rows'], copies)
	assert.deepEqual([(await retry(id)).status, (await retry(first)).status], [400, 400])
	// Copied by a release that did not note the origin: the person counts as reached.
	await db`update campaign_messages set origin_seq = null where account_id = ${accountId}`
	await report({ ...sent, id: second }, [failed(1, 131056)])
	assert.equal((await retry(second)).status, 400)
})

test('createRecipientGroup moves contacts and adds the other recipients, as groupEstimate had counted', async () => {
	const sent = await sentCampaign(
		4,
		[1, 2, 3].map((seq) => ({ seq, status: 'read' as const })),
	)
	const { id, who, accountId } = sent
	await contact(app.context.db, accountId, { number: '919000000000' })
	const contactsBefore = await findCachedCount(app.context.db, accountId, null)
	const estimate = await app.call(campaignReports.groupEstimate, { params: { id }, query: { of: 'read' } }, who)
	assert.deepEqual(estimate.body, { recipients: 3, moved: 0, added: 2 })
	const made = await app.call(
		campaignReports.createGroup,
		{ params: { id }, body: { name: 'Readers', of: 'read' } },
		who,
	)
	assert.equal(made.status, 200, made.body.message)
	assert.equal(await findCachedCount(app.context.db, accountId, Number(made.body.group._id)), 3)
	assert.equal(await findCachedCount(app.context.db, accountId, null), contactsBefore + 2)
	const again = await app.call(campaignReports.groupEstimate, { params: { id }, query: { of: 'read' } }, who)
	assert.deepEqual(again.body, { recipients: 3, moved: 3, added: 0 })
	const none = await app.call(
		campaignReports.createGroup,
		{ params: { id }, body: { name: 'Replied', of: 'replied' } },
		who,
	)
	assert.deepEqual([none.status, none.body.message], [400, 'This group would have no recipients'])
})

test('the list searches, filters and sorts campaigns', async () => {
	const sent = await sentCampaign(2, [])
	const { who, accountId } = sent
	const { templateId } = await template(app.context.db, accountId)
	await contact(app.context.db, accountId)
	const second = {
		name: 'Annual sale',
		templateId,
		variables: JSON.stringify({ var1: 'x' }),
		audienceType: 'all' as const,
	}
	await app.call(campaigns.create, { body: second }, who)
	const list = async (given: object) => {
		const query = { page: 1, limit: 10, search: '', sort: 'createdAt', order: 'desc', tests: 'hide', ...given } as const
		const { body } = await app.call(campaigns.list, { query }, who)
		return body.campaigns.map(({ name }) => name)
	}
	assert.deepEqual(await list({}), ['Annual sale', 'Festive offer'])
	assert.deepEqual(await list({ search: 'FESTIVE' }), ['Festive offer'])
	assert.deepEqual(await list({ status: 'completed' }), [])
	assert.deepEqual(await list({ sort: 'totalCount' }), ['Festive offer', 'Annual sale'])
	assert.deepEqual(await list({ sort: 'name', order: 'asc' }), ['Annual sale', 'Festive offer'])
	assert.deepEqual(await list({ sort: 'cost', order: 'asc' }), ['Festive offer', 'Annual sale'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { upsertRules } from '#features/delivery/server/sending-rules-queries.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { paiseFromRupees } from '#lib/money.ts'
import { transaction } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { LATER, moneyFindings } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()
const { db, notify } = app.context
const PRICE_PAISE = 100

type Shop = TestAccount & { templateId: string }

interface Situation {
	title: string
	/** Number of messages that the balance pays for. */
	messages: number
	/** Number of recipients, of three, who have opted out. */
	optedOut?: number
	value?: string
	category?: string
	/** The status of the template at Meta. */
	status?: string
}

const SITUATIONS: Situation[] = [
	{ title: 'enough money', messages: 3 },
	{ title: 'enough money for those who have not opted out', messages: 2, optedOut: 1 },
	{ title: 'too little money', messages: 1, optedOut: 1 },
	{ title: 'nobody left', messages: 3, optedOut: 3 },
	{ title: 'an opted-out recipient of a utility template', messages: 2, optedOut: 1, category: 'UTILITY' },
	{ title: 'a missing value', messages: 3, value: '{{lastName}}' },
	{ title: 'a missing value and too little money', messages: 0, value: '{{lastName}}' },
	{ title: 'a fallback', messages: 3, value: '{{lastName|friend}}' },
	{ title: 'an unusable template', messages: 3, status: 'PAUSED' },
]

async function shopIn({ messages, optedOut = 0, category = 'MARKETING', status = 'APPROVED' }: Situation) {
	const shop = await account(app.context, { balancePaise: messages * PRICE_PAISE })
	const { accountId } = shop
	await db`update prices set marketing_paise = ${PRICE_PAISE}, utility_paise = ${PRICE_PAISE} where account_id = ${accountId}`
	const numbers: string[] = []
	for (let count = 0; count < 3; count++) numbers.push((await contact(db, accountId, { firstName: 'Asha' })).number)
	await optOutNumbers(db, accountId, { numbers: numbers.slice(0, optedOut), because: 'reply' })
	const { templateId } = await template(db, accountId, { category, status })
	return { ...shop, templateId, numbers }
}

test('recipients who are left out need no value: those abroad without a price, in contacts and in files, and opted-out ones', async () => {
	const shop = await shopIn({ title: 'money', messages: 9 })
	const { accountId, templateId, numbers } = shop
	const [first = '', second = ''] = numbers
	await db`update contacts set last_name = 'Rao' where account_id = ${accountId} and number <> ${second}`
	await db`update contacts set number = '971501234567' where account_id = ${accountId} and number = ${second}`
	await db`update prices set abroad_rule = 'blocked' where account_id = ${accountId}`
	const form = { name: 'Left out', templateId, variables: { var1: '{{lastName}}' }, ...LATER }
	const contactsForm = { ...form, audienceType: 'all' as const }
	const estimate = await app.call(campaignPreflight.estimate, { body: contactsForm }, shop)
	const { gaps, problems, recipients } = estimate.body
	assert.deepEqual([gaps, problems.filter(({ isBlocking }) => isBlocking), recipients], [{}, [], 2])
	const contactsBody = { ...contactsForm, variables: JSON.stringify(form.variables) }
	const created = await app.call(campaigns.create, { body: contactsBody }, shop)
	assert.equal(created.status, 200, created.body.message)
	await optOutNumbers(db, accountId, { numbers: [first], because: 'reply' })
	const csv = ['Name,Mobile,City', `Asha,${first},`, 'Basma,+971501234567,', 'Chitra,9812345678,Pune'].join('\n')
	const file = new File([csv], 'people.csv', { type: 'text/csv' })
	const body = { ...form, variables: JSON.stringify({ var1: '{{City}}' }), audienceType: 'file' as const }
	const fromFile = await app.call(campaigns.create, { body, files: { file } }, shop)
	assert.equal(fromFile.status, 200, fromFile.body.message)
})

interface Answer {
	status: number
	body: { message?: string }
}

/**
 * Asserts that the creation did as its estimate announced: the first blocking problem refused it, or it holds exactly
 * the estimated cost.
 */
async function assertKept(
	shop: Shop,
	{ title, estimate, created }: { title: string; estimate: { problems: Problem[]; cost: number }; created: Answer },
): Promise<void> {
	const { heldPaise } = await getWallet(db, shop.accountId)
	const [problem] = estimate.problems.filter(({ isBlocking }) => isBlocking)
	assert.equal(created.status === 200 ? undefined : created.body.message, problem?.message, title)
	assert.equal(heldPaise, problem ? 0 : paiseFromRupees(estimate.cost), title)
}

interface Problem {
	message: string
	isBlocking: boolean
}

test('a campaign to contacts is refused with the first problem of its estimate, or holds its cost', async () => {
	for (const situation of SITUATIONS) {
		const { title, value = '{{firstName}}' } = situation
		const shop = await shopIn(situation)
		const form = { audienceType: 'all' as const, templateId: shop.templateId, variables: { var1: value }, ...LATER }
		const { body: estimate } = await app.call(campaignPreflight.estimate, { body: form }, shop)
		const body = { ...form, name: title, variables: JSON.stringify(form.variables) }
		const created = await app.call(campaigns.create, { body, files: {} }, shop)
		await assertKept(shop, { title, estimate, created })
	}
	assert.deepEqual(await moneyFindings(db), [])
})

test('a daily start within quiet hours is refused on its field, with the problem of the estimate', async () => {
	const shop = await shopIn({ title: '', messages: 3 })
	await upsertRules(db, shop.accountId, { frequency: null, quiet: { from: '21:00', until: '09:00' } })
	const variables = { var1: 'Asha' }
	for (const [dailyStart, isRefused] of [
		['22:00', true],
		['08:59', true],
		['09:00', false],
		['', false],
	] as const) {
		const form = { audienceType: 'all' as const, templateId: shop.templateId, dailyStart, ...LATER }
		const { body: estimate } = await app.call(campaignPreflight.estimate, { body: { ...form, variables } }, shop)
		const problems = estimate.problems.filter(({ kind }) => kind === 'schedule')
		assert.equal(problems.length, isRefused ? 1 : 0, dailyStart)
		const body = { ...form, name: `Start ${dailyStart}`, variables: JSON.stringify(variables) }
		const created = await app.call(campaigns.create, { body, files: {} }, shop)
		if (!isRefused) continue
		assert.equal(created.status, 400)
		assert.match(created.body.message ?? '', /is within your quiet hours \(21:00 to 09:00\)\. Choose another time/)
		assert.equal(created.body.message, problems[0]?.message)
		assert.match(JSON.stringify(created.body), /dailyStart/)
	}
})

test('a campaign to a file is refused with the first problem of its preview, or holds its cost', async () => {
	for (const situation of SITUATIONS) {
		const { title, value = '{{firstName}}' } = situation
		const shop = await shopIn(situation)
		const lines = ['firstName,lastName,number', ...shop.numbers.map((number) => `Asha,,+${number}`)]
		const files = { file: new File([lines.join('\n')], 'people.csv', { type: 'text/csv' }) }
		const form = { templateId: shop.templateId, variables: JSON.stringify({ var1: value }), ...LATER }
		const { body: estimate } = await app.call(campaignPreflight.audienceFile, { body: form, files }, shop)
		const body = { ...form, name: title, audienceType: 'file' as const }
		const created = await app.call(campaigns.create, { body, files }, shop)
		await assertKept(shop, { title, estimate, created })
	}
	assert.deepEqual(await moneyFindings(db), [])
})

test('a retry is refused with the first problem of its estimate, or holds its cost', async () => {
	for (const { title, optedOut = 0, leftPaise } of [
		{ title: 'enough money', leftPaise: 300 },
		{ title: 'one has opted out since', leftPaise: 200, optedOut: 1 },
		{ title: 'too little money', leftPaise: 100 },
		{ title: 'all have opted out since', leftPaise: 300, optedOut: 3 },
	]) {
		const shop = await shopIn({ title, messages: 3 })
		const { accountId } = shop
		const form = { audienceType: 'all' as const, templateId: shop.templateId, name: title, ...LATER }
		const variables = JSON.stringify({ var1: '{{firstName}}' })
		const { body: first } = await app.call(campaigns.create, { body: { ...form, variables }, files: {} }, shop)
		const campaignId = Number(first.campaign._id)
		const failed = {
			status: 'failed',
			errorCode: 131016,
			error: 'Service overloaded',
			wamid: null,
			isInQualityCheck: false,
		} as const
		const updates = [1, 2, 3].map((seq) => ({ ...failed, campaignId, seq, at: new Date() }))
		await transaction(db, (sql) => settle(sql, accountId, { updates, notify }))
		await optOutNumbers(db, accountId, { numbers: shop.numbers.slice(0, optedOut), because: 'reply' })
		await db`update prices set marketing_paise = ${Math.round(30_000 / leftPaise)} where account_id = ${accountId}`
		const params = { id: String(campaignId) }
		const { body: estimate } = await app.call(campaignReports.retryEstimate, { params }, shop)
		const created = await app.call(campaignReports.retryFailed, { params, body: {} }, shop)
		await assertKept(shop, { title, estimate, created })
	}
	assert.deepEqual(await moneyFindings(db), [])
})

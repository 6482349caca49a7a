import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import type { AccountId } from '#lib/server/db.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../service.ts'

const product = await launchProduct()

const MARKETING_PAISE = 100
const UTILITY_PAISE = 30

/** Creates an account with a utility template. `balancePaise` defaults to the price of one message to each contact. */
async function utilityAccount(given: { contacts?: number; balancePaise?: number } = {}) {
	const { contacts = 10 } = given
	const { balancePaise = contacts * UTILITY_PAISE } = given
	const sender = await sendingAccount(product, { contacts, balancePaise })
	const { waba_id } = sender.credentials
	const { control } = product.simulator
	const components = [{ type: 'BODY', text: 'Dear {{1}}, your order is on its way.' }]
	const { id } = await control.addTemplate({ waba_id, name: 'order', category: 'UTILITY', components })
	await syncTemplates(product.process.context, sender.accountId)
	return { ...sender, templateId: id, waba_id }
}

type Account = Awaited<ReturnType<typeof utilityAccount>>

const wallet = async ({ accountId }: { accountId: AccountId }) => {
	const { availablePaise, heldPaise } = await getWallet(product.db, accountId)
	return [availablePaise, heldPaise]
}
const stateOf = async ({ accountId }: Account, campaignId: number) => {
	const campaign = await campaignWhen(product, { accountId, campaignId }, () => true)
	return { ...campaign, category: campaign.template.category }
}
const paused = ({ accountId }: Account, campaignId: number) =>
	campaignWhen(product, { accountId, campaignId }, ({ status }) => status === 'paused')
const resume = ({ accountId }: Account, campaignId: number) =>
	resumeCampaign(product.process.context, accountId, String(campaignId))
const move = ({ templateId }: Account, category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION') =>
	product.simulator.control.recategoriseTemplate({ id: templateId, category })
const notesOf = async ({ accountId }: Account) => {
	const rows = await product.db<{ text: string }[]>`select text from notifications where account_id = ${accountId}`
	return rows.map(({ text }) => text)
}

test('a category webhook that changes the price pauses scheduled campaigns, notifies the account of both prices and moves no money', async () => {
	const account = await utilityAccount()
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	const campaign = await paused(account, id)
	assert.equal(
		campaign.statusReason,
		'The price changed: WhatsApp has moved the template "Order" from UTILITY to MARKETING, so a message costs ₹1.00 instead of ₹0.30. Resume the campaign to confirm the new price, or cancel it.',
	)
	assert.deepEqual([campaign.pricePaise, campaign.template.category], [UTILITY_PAISE, 'UTILITY'])
	assert.deepEqual(await wallet(account), [0, 300])
	const notes = (await notesOf(account)).join('\n')
	assert.match(notes, /Template "Order" is now MARKETING, not UTILITY/)
	assert.match(notes, /is paused: The price changed/)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('resuming a campaign whose price changed holds the difference, and sends at the new price', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 1000 })
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await paused(account, id)
	await resume(account, id)
	const campaign = await stateOf(account, id)
	assert.deepEqual([campaign.status, campaign.pricePaise, campaign.category], ['pending', MARKETING_PAISE, 'MARKETING'])
	assert.deepEqual(await wallet(account), [0, 1000])
	assert.deepEqual(await moneyFindings(product.db), [])
	await product.db`update campaigns set opens_at = now() where account_id = ${account.accountId}`
	const done = await campaignWhen(
		product,
		{ accountId: account.accountId, campaignId: id },
		({ status }) => status === 'completed',
	)
	assert.equal(done.pending, 0)
	assert.deepEqual(await wallet(account), [0, 0])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('resumeCampaign returns 402 and changes nothing when the wallet is short for the new price, and a cancel then releases the hold', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 999 })
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await paused(account, id)
	await assert.rejects(resume(account, id), { status: 402, details: { needed: 7, available: 6.99 } })
	const campaign = await stateOf(account, id)
	assert.deepEqual([campaign.status, campaign.pricePaise, campaign.category], ['paused', UTILITY_PAISE, 'UTILITY'])
	assert.deepEqual(await wallet(account), [699, 300])
	await cancelCampaign(product.process.context, account.accountId, String(id))
	await until(async () => (await wallet(account))[0] === 999)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('resumeCampaign releases the difference when the price has fallen', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 1000 })
	await move(account, 'MARKETING')
	await until(
		async () => (await getTemplate(product.db, account.accountId, account.templateId)).category === 'MARKETING',
	)
	const id = await startCampaign(product, account, LATER)
	await move(account, 'UTILITY')
	await paused(account, id)
	await resume(account, id)
	assert.deepEqual(await wallet(account), [700, 300])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('resumeCampaign confirms the price that the pause named, even if the account’s prices have changed since', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 5000 })
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await paused(account, id)
	await product.db`update prices set marketing_paise = 400 where account_id = ${account.accountId}`
	await resume(account, id)
	assert.equal((await stateOf(account, id)).pricePaise, MARKETING_PAISE)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a template that moves back and forth needs a new confirmation each time, and the reconciliation finds nothing', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 1000 })
	const id = await startCampaign(product, account, LATER)
	for (const category of ['MARKETING', 'UTILITY', 'MARKETING'] as const) {
		await move(account, category)
		await paused(account, id)
		await resume(account, id)
		assert.equal((await stateOf(account, id)).category, category)
		assert.deepEqual(await moneyFindings(product.db), [])
	}
	assert.deepEqual(await wallet(account), [0, 1000])
})

test('a template that is moved back before the account confirmed leaves the campaign at its price', async () => {
	const account = await utilityAccount()
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await paused(account, id)
	await move(account, 'UTILITY')
	await campaignWhen(product, { accountId: account.accountId, campaignId: id }, ({ statusReason }) =>
		/the one you were shown/.test(statusReason ?? ''),
	)
	await resume(account, id)
	const campaign = await stateOf(account, id)
	assert.deepEqual([campaign.status, campaign.pricePaise, campaign.category], ['pending', UTILITY_PAISE, 'UTILITY'])
	assert.deepEqual(await wallet(account), [0, 300])
})

test('resuming confirms the new price of a campaign that its account had paused before its start', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 1000 })
	const id = await startCampaign(product, account, LATER)
	await pauseCampaign(product.process.context, account.accountId, String(id))
	await move(account, 'MARKETING')
	await campaignWhen(product, { accountId: account.accountId, campaignId: id }, ({ statusReason }) =>
		/The price changed/.test(statusReason ?? ''),
	)
	await resume(account, id)
	assert.equal((await stateOf(account, id)).pricePaise, MARKETING_PAISE)
})

test('a move between categories of one price pauses nothing, and the campaign gets the new category', async () => {
	const account = await utilityAccount()
	const id = await startCampaign(product, account, LATER)
	await move(account, 'AUTHENTICATION')
	await campaignWhen(
		product,
		{ accountId: account.accountId, campaignId: id },
		({ template }) => template.category === 'AUTHENTICATION',
	)
	assert.deepEqual([(await stateOf(account, id)).status, await wallet(account)], ['pending', [0, 300]])
})

test('a move between marketing and utility pauses nothing where both cost the same, and the campaign gets the new category', async () => {
	const account = await utilityAccount()
	await product.db`update prices set marketing_paise = utility_paise where account_id = ${account.accountId}`
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await campaignWhen(
		product,
		{ accountId: account.accountId, campaignId: id },
		({ template }) => template.category === 'MARKETING',
	)
	assert.deepEqual([(await stateOf(account, id)).status, await wallet(account)], ['pending', [0, 300]])
})

test('a move that only a sync notices pauses the campaigns of the template, and no others', async () => {
	const [account, other] = [await utilityAccount({ balancePaise: 2000 }), await utilityAccount()]
	const id = await startCampaign(product, account, LATER)
	const { templateId } = await getHello(account)
	const hello = await createCampaign(product.process.context, account.accountId, {
		...LATER,
		name: 'Another template',
		templateId,
		variables: { var1: '{{firstName}}' },
		audienceType: 'all',
		timezone: 'Asia/Kolkata',
	})
	const theirs = await startCampaign(product, other, LATER)
	await product.simulator.control.holdWebhooks({ waba_id: account.waba_id })
	await move(account, 'MARKETING')
	await syncTemplates(product.process.context, account.accountId)
	const states = [await stateOf(account, id), await stateOf(account, hello), await stateOf(other, theirs)]
	assert.deepEqual(
		states.map(({ status }) => status),
		['paused', 'pending', 'pending'],
	)
	await product.simulator.control.releaseWebhooks({ waba_id: account.waba_id })
})

async function getHello({ accountId }: Account): Promise<{ templateId: string }> {
	const [row] = await product.db<{ templateId: string }[]>`
		select template_id as "templateId" from templates where account_id = ${accountId} and name = 'hello'
	`
	return row ?? { templateId: '' }
}

test('a campaign created with a category that has just changed is paused when it is due', async () => {
	const account = await utilityAccount()
	const id = await startCampaign(product, account, LATER)
	// Simulates a campaign that was written right after the move, with a category read before it.
	await product.db`update templates set category = 'MARKETING' where account_id = ${account.accountId}`
	await product.db`update campaigns set opens_at = now() where account_id = ${account.accountId}`
	const campaign = await paused(account, id)
	assert.match(campaign.statusReason ?? '', /^The price changed/)
	assert.deepEqual(await wallet(account), [0, 300])
})

test('a campaign that is being sent keeps its price', async () => {
	const account = await utilityAccount()
	const id = await startCampaign(product, account)
	await campaignWhen(product, { accountId: account.accountId, campaignId: id }, ({ status }) => status === 'completed')
	await move(account, 'MARKETING')
	await until(async () => (await notesOf(account)).some((note) => note.includes('is now MARKETING')))
	const campaign = await stateOf(account, id)
	assert.deepEqual([campaign.status, campaign.pricePaise], ['completed', UTILITY_PAISE])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('campaigns that had begun when their sender was paused go on at their price after their template moved', async () => {
	const account = await utilityAccount({ contacts: 40, balancePaise: 2 * 40 * UTILITY_PAISE })
	const { control } = product.simulator
	const { access_token: token } = account.credentials
	const setPace = (perSecond: number) =>
		product.db`
			update senders set messages_per_second = ${perSecond}, updated_at = now() where account_id = ${account.accountId}
		`
	// At one message a second, both campaigns are still being sent when the token is rejected.
	await setPace(1)
	const ids = [await startCampaign(product, account), await startCampaign(product, account)] as const
	const both = (isSo: Parameters<typeof campaignWhen>[2]) =>
		Promise.all(ids.map((campaignId) => campaignWhen(product, { accountId: account.accountId, campaignId }, isSo)))
	await both(({ status, pending }) => status === 'processing' && pending < 40)
	await control.rejectToken({ token })
	await both(({ status }) => status === 'paused')
	await move(account, 'MARKETING')
	await until(
		async () => (await getTemplate(product.db, account.accountId, account.templateId)).category === 'MARKETING',
	)
	await control.rejectToken({ token, restore: true })
	await setPace(80)
	// Resuming the first campaign resumes the second too, which then has to be opened again.
	await resume(account, ids[0])
	const done = await both(({ status }) => status === 'completed')
	assert.deepEqual(
		done.map(({ pricePaise, pending }) => [pricePaise, pending]),
		[
			[UTILITY_PAISE, 0],
			[UTILITY_PAISE, 0],
		],
	)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('two simultaneous resumes confirm a price once', async () => {
	const account = await utilityAccount({ contacts: 10, balancePaise: 2000 })
	const id = await startCampaign(product, account, LATER)
	await move(account, 'MARKETING')
	await paused(account, id)
	const results = await Promise.allSettled([resume(account, id), resume(account, id)])
	assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
	assert.deepEqual(await wallet(account), [1000, 1000])
	assert.deepEqual(await moneyFindings(product.db), [])
})

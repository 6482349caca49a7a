import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#lib/app-error.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { estimateContacts } from './estimate-service.ts'
import { estimateRetry, retryFailed } from './report/retry-service.ts'
import { getCampaign } from './service.ts'

const product = await launchProduct()

test('of ten campaigns created at once on a wallet for six, six are created, and four return 402 and write nothing', async () => {
	const sender = await sendingAccount(product, { contacts: 100, balancePaise: 65_000, perSecond: 1 })
	const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => startCampaign(product, sender)))
	const refused = attempts.filter((one) => one.status === 'rejected')
	assert.equal(refused.length, 4)
	assert.ok(refused.every(({ reason }) => reason instanceof AppError && reason.status === 402))
	const [row] = await product.db<{ campaigns: number; messages: number }[]>`
		select (select count(*) from campaigns where account_id = ${sender.accountId}) as campaigns,
			(select count(*) from campaign_messages where account_id = ${sender.accountId}) as messages
	`
	assert.deepEqual({ ...row }, { campaigns: 6, messages: 600 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('simultaneous orders with one request id create one campaign', async () => {
	const sender = await sendingAccount(product, { contacts: 10, balancePaise: 10_000 })
	const ids = await Promise.all(
		Array.from({ length: 5 }, () => startCampaign(product, sender, { requestId: 'one-request', name: 'Diwali' })),
	)
	assert.equal(new Set(ids).size, 1)
})

test('createCampaign with a known request id returns its campaign for the same form, and 409 with its name for another form', async () => {
	const sender = await sendingAccount(product, { contacts: 10, balancePaise: 10_000 })
	const order = { requestId: 'lost-answer', name: 'Diwali' }
	assert.equal(await startCampaign(product, sender, order), await startCampaign(product, sender, order))
	const refusal = {
		status: 409,
		message: 'This form has already created the campaign "Diwali". To create another one as well, send again.',
	}
	await assert.rejects(startCampaign(product, sender, { ...order, name: 'Pongal' }), refusal)
	const later = { ...order, ...LATER, requestId: 'lost-answer-of-a-later-one' }
	assert.equal(await startCampaign(product, sender, later), await startCampaign(product, sender, later))
	const atAnotherTime = { ...later, scheduleDatetime: '2099-01-01T11:00:00' }
	await assert.rejects(startCampaign(product, sender, atAnotherTime), refusal)
})

test('a price that has changed since the form showed it returns 409 with the new one, and nothing is ordered', async () => {
	const sender = await sendingAccount(product, { contacts: 10, balancePaise: 10_000 })
	const order = { requestId: 'shown-at-a-rupee', name: 'Holi', price: '1' }
	const id = await startCampaign(product, sender, order)
	await product.db`update prices set marketing_paise = 120 where account_id = ${sender.accountId}`
	assert.equal(await startCampaign(product, sender, order), id, 'the repeated order is answered with its campaign')
	await assert.rejects(startCampaign(product, sender, { price: '1.00' }), {
		status: 409,
		message: 'A message costs ₹1.20 by now. Check the cost of the campaign, then send again.',
		details: { price: 1.2 },
	})
	const [row] = await product.db<{ campaigns: number }[]>`
		select count(*) as campaigns from campaigns where account_id = ${sender.accountId}
	`
	assert.equal(row?.campaigns, 1)
	await startCampaign(product, sender, { price: '1.2', ...LATER })
})

test('prices in other countries that have changed since the form showed them return 409, and nothing is ordered', async () => {
	const sender = await sendingAccount(product, { contacts: 10, balancePaise: 10_000 })
	const { accountId, templateId } = sender
	const { signal } = new AbortController()
	const shown = async () => {
		const form = { audienceType: 'all', templateId, variables: { var1: 'Asha' }, schedule: 'now' } as const
		const { abroadPrices } = await estimateContacts(product.db, accountId, {
			...form,
			timezone: 'Asia/Kolkata',
			signal,
		})
		return { price: '1', abroadPrices }
	}
	const CHANGES = [
		() => product.db`update prices set abroad_rule = 'card' where account_id = ${accountId}`,
		() => product.db`update prices set abroad_percent = 10 where account_id = ${accountId}`,
		() => product.db`insert into market_prices values (${accountId}, 'AE', 'marketing', 390)`,
		() => product.db`update prices set abroad_rule = 'blocked' where account_id = ${accountId}`,
		() => product.db`update prices set abroad_rule = 'same' where account_id = ${accountId}`,
	]
	for (const change of CHANGES) {
		const before = await shown()
		await change()
		await assert.rejects(startCampaign(product, sender, before), {
			status: 409,
			message: 'Messages to other countries have other prices by now. Check the cost of the campaign, then send again.',
		})
	}
	const [row] = await product.db`select count(*) as campaigns from campaigns where account_id = ${accountId}`
	assert.equal(row?.campaigns, 0)
	const seen = await shown()
	const order = await startCampaign(product, sender, { ...seen, ...LATER })
	const campaign = await getCampaign(product.db, accountId, String(order))
	const retry = (given: object) =>
		retryFailed(product.process.context.db, accountId, { campaign, requestId: null, shown: given })
	await assert.rejects(retry({ ...seen, abroadPrices: 'others' }), { status: 409, code: 'abroad_prices_changed' })
	await assert.rejects(retry({ ...seen, price: '2' }), { status: 409, details: { price: 1 } })
	assert.equal((await estimateRetry(product.process.context.db, accountId, campaign)).abroadPrices, seen.abroadPrices)
	// Prices of other categories are no prices of this campaign.
	await product.db`insert into market_prices values (${accountId}, 'AE', 'service', 20)`
	await startCampaign(product, sender, { ...seen, ...LATER })
})

test('createCampaign returns 409 and holds nothing while 500 campaigns of the account have not ended, also for simultaneous orders', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 10_000 })
	const frozen = { name: 'offer', language: 'en', category: 'MARKETING', components: [] }
	const insert = (count: number) => product.db`
		insert into campaigns (account_id, name, status, template, audience_type, price_paise, finished_at)
		select ${sender.accountId}, 'Paused', 'paused', ${JSON.stringify(frozen)}::jsonb, 'all', 100, null
		from generate_series(1, ${count})
	`
	await insert(499)
	const orders = await Promise.allSettled([1, 2, 3, 4].map(() => startCampaign(product, sender, LATER)))
	assert.equal(orders.filter(({ status }) => status === 'fulfilled').length, 1)
	await assert.rejects(startCampaign(product, sender, LATER), {
		status: 409,
		message:
			'Your account has 500 campaigns that are scheduled, paused or being sent, which is the most at once. ' +
			'Wait until some are completed, or cancel some.',
	})
	const [wallet] = await product.db<{ held: number }[]>`
		select held_paise as held from wallets where account_id = ${sender.accountId}
	`
	assert.equal(wallet?.held, 100)
})

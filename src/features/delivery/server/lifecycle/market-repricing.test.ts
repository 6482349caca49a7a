import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { resumeCampaign } from '../service.ts'
import { pauseRepriced } from './repricing.ts'

// The product runs without a worker, so that the campaign waits for its time.
const product = await launchProduct({ env: { ROLE: 'http' } })

test('confirming a new price gives each message the price of its market in the new category, and holds their sum', async () => {
	const sender = await sendingAccount(product, { contacts: 3, balancePaise: 600 })
	const { accountId } = sender
	const { db, context } = { ...product, ...product.process }
	await db`
		insert into market_prices (account_id, market, category, price_paise)
		values (${accountId}, 'AE', 'marketing', 400), (${accountId}, 'AE', 'utility', 50)
	`
	await db`
		update contacts set number = '971500000001'
		where account_id = ${accountId} and id = (select max(id) from contacts where account_id = ${accountId})
	`
	const campaignId = await startCampaign(product, sender, LATER)
	assert.deepEqual(await getWallet(db, accountId), { availablePaise: 0, heldPaise: 600 })
	const { template } = await campaignWhen(product, { accountId, campaignId }, () => true)
	const moved = { name: template.name, language: template.language, to: 'UTILITY' }
	await transaction(db, (sql) => pauseRepriced(sql, accountId, { template: moved, notify: context.notify }))
	const { statusReason } = await campaignWhen(product, { accountId, campaignId }, ({ status }) => status === 'paused')
	assert.match(
		statusReason ?? '',
		/a message in India costs ₹0\.30 instead of ₹1\.00, and the campaign ₹1\.10 instead of ₹6\.00/,
	)
	assert.equal((await getWallet(db, accountId)).heldPaise, 600)
	await resumeCampaign(context, accountId, String(campaignId))
	assert.deepEqual(await getWallet(db, accountId), { availablePaise: 490, heldPaise: 110 })
	const prices = await db<{ number: string; price: number | null }[]>`
		select left(number, 3) as number, price_paise as price from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and price_paise is not null
	`
	assert.deepEqual([...prices], [{ number: '971', price: 50 }])
	assert.deepEqual(await moneyFindings(db), [])
})

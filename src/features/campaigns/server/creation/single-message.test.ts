import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { account, contact, template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

/** Creates an account with money for ten messages and a template with one variable. */
async function payer() {
	const who = await account(app.context, { balancePaise: 1000 })
	const { templateId } = await template(app.context.db, who.accountId)
	return { ...who, templateId }
}

test('campaigns.sendTest returns 400 and charges nothing when neither form nor contact fills a merge tag', async () => {
	const who = await payer()
	await contact(app.context.db, who.accountId, { firstName: 'Asha', number: '919876543210' })
	const { templateId } = who
	const send = (number: string, var1: string) =>
		app.call(campaignPreflight.sendTest, { body: { templateId, variables: { var1 }, number } }, who)
	const unfilled = [
		['98765 43210', '{{firstName}} of {{City}}', 'City'],
		['98765 43211', '{{firstName}} of {{City}}', 'firstName, City'],
		['98765 43211', '{{firstName}}', 'firstName'],
	] as const
	for (const [number, value, names] of unfilled) {
		const { status, body } = await send(number, value)
		assert.equal(status, 400, value)
		assert.ok(body.message?.startsWith(`The test was not sent: nothing is known for ${names}.`), body.message)
	}
	assert.equal((await getWallet(app.context.db, who.accountId)).heldPaise, 0)
	for (const value of ['{{firstName|friend}} of {{City|Pune}}', 'Meera of Pune', '{{number}}'])
		assert.equal((await send('98765 43211', value)).status, 200, value)
})

test('campaigns.sendTest returns 409 with the reason and charges nothing while sending is stopped, and the first test for a repeated request', async () => {
	const who = await payer()
	const { db } = app.context
	await db`
		insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token)
		values (${who.accountId}, ${`p${who.accountId}`}, 'w', '', ${`k${who.accountId}`}, 't')
	`
	const { templateId } = who
	const send = (requestId: string) => {
		const body = { templateId, variables: { var1: 'Asha' }, number: '98765 43210', requestId }
		return app.call(campaignPreflight.sendTest, { body }, who)
	}
	const first = await send('before-stop')
	assert.equal(first.status, 200, first.body.message)
	await db`update senders set stopped_reason = 'WhatsApp has locked this account. See WhatsApp Manager, then resume.' where account_id = ${who.accountId}`
	const { heldPaise } = await getWallet(db, who.accountId)
	const refused = await send('after-stop')
	assert.equal(refused.status, 409)
	assert.equal(
		refused.body.message,
		'Sending has stopped, so the test was not sent. WhatsApp has locked this account. See WhatsApp Manager, then resume.',
	)
	assert.equal((await getWallet(db, who.accountId)).heldPaise, heldPaise)
	assert.equal((await send('before-stop')).body.campaign._id, first.body.campaign._id)
})

test('campaigns.sendTest returns 409 with the present price and charges nothing when the form showed the price of another market', async () => {
	const who = await payer()
	const { db } = app.context
	await db`
		insert into market_prices (account_id, market, category, price_paise) values (${who.accountId}, 'AE', 'marketing', 390)
	`
	const send = (price: string, number = '+971 50 123 4567') =>
		app.call(
			campaignPreflight.sendTest,
			{ body: { templateId: who.templateId, variables: { var1: 'Asha' }, number, price } },
			who,
		)
	const refused = await send('1')
	assert.equal(refused.status, 409)
	assert.equal(refused.body.message, 'This message costs ₹3.90 by now. Check the price, then send again.')
	assert.equal((await getWallet(db, who.accountId)).heldPaise, 0)
	assert.equal((await send('3.9')).status, 200)
	assert.equal((await send('1', '98765 43210')).status, 200)
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { wallet } from '#features/wallet/contract.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { campaigns } from '../contract.ts'

const app = await launchTestApp()

async function standingOf(person: TestAccount) {
	return (await app.call(campaigns.standing, {}, person)).body
}

async function rechargeWith({ accountId }: TestAccount, amountPaise: number) {
	const reference = `recharge:standing-${accountId}`
	await transaction(app.context.db, (sql) => postRecharge(sql, accountId, { reference, amountPaise }))
}

async function giveSender({ accountId }: TestAccount) {
	await app.context.db`
		insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token)
		values (${accountId}, ${`phone-${accountId}`}, 'waba', ${Buffer.from('encrypted')}, ${`key-${accountId}`}, 'verify')
	`
}

suite('campaigns.standing', () => {
	test('a new account is blocked by missing credentials and an empty wallet', async () => {
		assert.deepEqual(await standingOf(await app.signIn('user')), {
			sender: { kind: 'no-credentials', reason: null },
			wallet: { kind: 'empty', balance: 0 },
		})
	})

	test('an account with credentials and money has no problem beside another account that has one', async () => {
		const person = await app.signIn('user')
		await giveSender(person)
		await rechargeWith(person, 1_000_000)
		assert.deepEqual(await standingOf(person), { sender: null, wallet: null })
	})

	test('a balance below the account’s limit is low, and one below the price of a message is empty', async () => {
		const person = await app.signIn('user')
		await rechargeWith(person, 20)
		assert.deepEqual((await standingOf(person)).wallet, { kind: 'empty', balance: 0.2 })
		const richer = await app.signIn('user')
		await rechargeWith(richer, 5000)
		await app.call(wallet.setLowBalance, { body: { amount: '80' } }, richer)
		assert.deepEqual((await standingOf(richer)).wallet, { kind: 'low', balance: 50 })
	})

	test('a stopped sender comes before an outage, and an outage before missing status updates', async () => {
		const { db } = app.context
		const person = await app.signIn('user')
		await giveSender(person)
		const { accountId } = person
		await db`update senders set silence_notified_at = now() where account_id = ${accountId}`
		assert.deepEqual((await standingOf(person)).sender, { kind: 'no-reports', reason: null })
		await db`update senders set waiting_reason = 'WhatsApp is not answering.' where account_id = ${accountId}`
		assert.deepEqual((await standingOf(person)).sender, { kind: 'waiting', reason: 'WhatsApp is not answering.' })
		await db`update senders set stopped_reason = 'Locked.', stopped_at = now() where account_id = ${accountId}`
		assert.deepEqual((await standingOf(person)).sender, { kind: 'stopped', reason: 'Locked.' })
	})
	test('an Indian account that WhatsApp bills in dollars has a currency problem, and one without a payment method that problem', async () => {
		const { db } = app.context
		const person = await app.signIn('user')
		await giveSender(person)
		const { accountId } = person
		await db`
			update senders set billing_currency = 'USD', display_phone_number = '+91 98765 00000', has_payment_method = false
			where account_id = ${accountId}
		`
		const currency = (await standingOf(person)).sender
		assert.equal(currency?.kind, 'currency')
		assert.match(
			currency.reason ?? '',
			/^WhatsApp bills this account in USD\. .*Ask your administrator to move the account/,
		)
		await db`update senders set billing_country = 'AE' where account_id = ${accountId}`
		assert.equal((await standingOf(person)).sender?.kind, 'payment-method')
		await db`update senders set has_payment_method = true where account_id = ${accountId}`
		assert.equal((await standingOf(person)).sender, null)
	})
	test('campaigns.resumeSending resumes a stopped sender without campaigns, and no other account’s sender', async () => {
		const { db } = app.context
		const [person, other] = [await app.signIn('user'), await app.signIn('user')]
		for (const each of [person, other]) await giveSender(each)
		await db`update senders set stopped_reason = 'Locked.' where account_id in (${person.accountId}, ${other.accountId})`
		assert.equal((await app.call(campaigns.resumeSending, {}, person)).status, 200)
		assert.equal((await standingOf(person)).sender, null)
		assert.deepEqual((await standingOf(other)).sender, { kind: 'stopped', reason: 'Locked.' })
	})
})

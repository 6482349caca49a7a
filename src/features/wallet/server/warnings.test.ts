import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifications } from '#features/notifications/contract.ts'
import { createLog } from '#lib/server/log.ts'
import { account, campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { until } from '#test/until.ts'
import { wallet } from '../contract.ts'
import { post } from './ledger.ts'
import { balanceMails, startBalanceWarnings } from './warnings.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

test('a fall of the balance below the user’s limit is notified once and mailed, and the next fall is notified again', async () => {
	const { context } = app
	await app.runJobs(balanceMails(context))
	const stop = await startBalanceWarnings({ ...context, log: createLog('silent') })
	const person = await account(context, { balancePaise: 10_000 })
	const saved = await app.call(wallet.setLowBalance, { body: { amount: '50.50' } }, person)
	assert.deepEqual([saved.status, saved.body.lowBalance], [200, 50.5])
	const campaignId = await campaignRow(app.context.db, person.accountId, { name: 'Diwali' })
	const spend = (paise: number, reference: string) =>
		post(context.db, person.accountId, { kind: 'hold', reference, paise, campaignId, messageCount: 1 })
	const warnings = async () =>
		(await app.call(notifications.list, { query: { page: 1 } }, person)).body.notifications.filter(({ text }) =>
			text.startsWith('Your wallet balance is low'),
		)
	await spend(4900, 'a')
	await spend(100, 'b')
	await spend(100, 'c')
	await until(async () => (await warnings()).length === 1)
	assert.match((await warnings())[0]?.text ?? '', /^Your wallet balance is low: ₹(50|49).00 left$/)
	await app.call(wallet.recharge, { params: { userId: person.userId }, body: { amount: 100 } }, admin)
	await spend(10_000, 'd')
	await until(async () => (await warnings()).length === 2)
	await until(async () => (await mailsTo(context, person.email)).length > 0)
	const [mail = ''] = await mailsTo(context, person.email)
	assert.match(mail, /Subject: Your wallet balance is low/)
	await stop()
})

test('wallet.setLowBalance refuses a negative amount and a text, and takes 0, which turns the warning off', async () => {
	const person = await account(app.context)
	for (const amount of [-1, 'low']) {
		const { status, body } = await app.call(wallet.setLowBalance, { body: { amount } }, person)
		assert.deepEqual([status, body.message], [400, 'Enter an amount of 0 or more, with up to two decimals'])
	}
	await app.call(wallet.setLowBalance, { body: { amount: 0 } }, person)
	assert.equal((await app.call(wallet.balance, {}, person)).body.lowBalance, 0)
})

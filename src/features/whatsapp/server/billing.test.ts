import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { adminDashboards } from '#features/dashboards/admin-contract.ts'
import { margins } from '#features/dashboards/margin-contract.ts'
import { addUsage } from '#features/delivery/server/settlement/count-queries.ts'
import { notifications } from '#features/notifications/contract.ts'
import { notify } from '#features/notifications/server/service.ts'
import { templates } from '#features/templates/contract.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { indianDay } from '#lib/dates.ts'
import { transaction } from '#lib/server/db.ts'
import type { Credentials } from '#simulator/simulator.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { whatsapp } from '../contract.ts'
import { readNumberDaily } from './meta-check.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

const save = async ({ userId }: TestAccount, body: Credentials) =>
	(await app.call(whatsapp.saveCredentials, { params: { userId }, body }, admin)).body
const textsOf = async (person: TestAccount) =>
	(await app.call(notifications.list, {}, person)).body.notifications.map(({ text }) => text)
/** Runs the daily reading as if a day had passed. */
async function readNextDay({ accountId }: TestAccount) {
	await app.context.db`
		update senders set checked_at = now() - interval '2 days', number_read_at = null where account_id = ${accountId}
	`
	await readNumberDaily({ ...app.context, notify }, accountId)
}

test('whatsapp.saveCredentials warns when an Indian account is not billed in rupees or has no payment method', async () => {
	const { control } = app.simulator
	const person = await app.signIn('user')
	const given = await control.createAccount({ phone: '+919876511111' })
	const { credentials, warnings } = await save(person, given)
	assert.deepEqual([warnings, credentials.billingCurrency, credentials.hasPaymentMethod], [[], 'INR', true])
	await control.setBilling({ waba_id: given.waba_id, currency: 'USD', has_payment_method: false })
	const saved = await save(person, given)
	assert.equal(saved.warnings.length, 2)
	assert.match(saved.warnings[0] ?? '', /^WhatsApp bills this account in USD\. From 1 January 2027 .* new account/)
	assert.match(saved.warnings[1] ?? '', /^WhatsApp has no payment method .* Add one in WhatsApp Manager/)
	assert.deepEqual(saved.credentials.billingWarnings, saved.warnings)
	await control.setBilling({ waba_id: given.waba_id, country: 'AE', has_payment_method: true })
	assert.deepEqual((await save(person, given)).warnings, [])
})

const about = (texts: string[]) => texts.filter((text) => text.includes('bills this account in USD'))

test('readNumberDaily notifies users once of a new billing problem, shows it to admins, and ends the warning once it is solved', async () => {
	const { control } = app.simulator
	const person = await app.signIn('user')
	const given = await control.createAccount()
	await save(person, given)
	await control.setBilling({ waba_id: given.waba_id, currency: 'USD' })
	for (let day = 0; day < 3; day++) await readNextDay(person)
	assert.equal(about(await textsOf(person)).length, 1)
	const { problems } = (await app.call(adminDashboards.admin, {}, admin)).body
	const mine = problems.filter(({ _id }) => _id === person.userId)
	assert.deepEqual(
		mine.map(({ kind }) => kind),
		['billing'],
	)
	assert.match(mine[0]?.reason ?? '', /Manage Key/)
	assert.equal((await app.call(campaigns.standing, {}, person)).body.sender?.kind, 'currency')
	await control.addFault({ call: 'waba', kind: 'error', code: 10, status: 403, times: 1 })
	await readNextDay(person)
	assert.equal((await app.call(campaigns.standing, {}, person)).body.sender?.kind, 'currency')
	await control.setBilling({ waba_id: given.waba_id, currency: 'INR' })
	await readNextDay(person)
	assert.equal((await app.call(campaigns.standing, {}, person)).body.sender, null)
})

test('an account that moves to INR keeps its templates and its sender under the new WABA ID', async () => {
	const { control } = app.simulator
	const person = await app.signIn('user')
	const given = await control.createAccount()
	await control.setBilling({ waba_id: given.waba_id, currency: 'USD' })
	await save(person, given)
	await control.addTemplate({
		waba_id: given.waba_id,
		name: 'sale',
		components: [{ type: 'BODY', text: 'The sale is on' }],
	})
	await syncTemplates(app.context, person.accountId)
	const list = async () =>
		(await app.call(templates.list, { query: {} as never }, person)).body.templates.map(({ _id, status }) => [
			_id,
			status,
		])
	const before = await list()
	const { waba_id } = await control.moveAccount({ waba_id: given.waba_id, currency: 'INR' })
	const { warnings, credentials } = await save(person, { ...given, waba_id })
	assert.deepEqual([warnings, credentials.waba_id], [[], waba_id])
	await syncTemplates(app.context, person.accountId)
	assert.deepEqual(await list(), before)
	const [row] = await app.context.db<{ count: number }[]>`
		select count(*) as count from senders where account_id = ${person.accountId} and phone_number_id = ${given.phone_number_id}
	`
	assert.equal(row?.count, 1)
})

test('readNumberDaily stores WhatsApp’s own counts, and margins.one names the days and categories that differ', async () => {
	const { control } = app.simulator
	const person = await app.signIn('user')
	const given = await control.createAccount({ phone: '+919876522222' })
	await save(person, given)
	const check = async () => {
		const month = indianDay(Date.now()).slice(0, 7)
		return (await app.call(margins.one, { params: { userId: person.userId }, query: { month } }, admin)).body.check
	}
	assert.equal(await check(), null)
	await control.setPhone({ phone_number_id: given.phone_number_id, window: 'off' })
	await control.setStatusPlan({ phone_number_id: given.phone_number_id, failRate: 0 })
	for (const to of ['+919800000001', '+919800000002']) {
		const message = { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Hello' } }
		const headers = { authorization: `Bearer ${given.access_token}`, 'content-type': 'application/json' }
		const url = `${app.simulator.url}/v25.0/${given.phone_number_id}/messages`
		assert.equal((await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })).status, 200)
	}
	await readNextDay(person)
	// The day of the reading is not over.
	assert.deepEqual((await check())?.differences, [])
	await app.context.db`
		update usage_checks set checked_at = now() + interval '1 day' where account_id = ${person.accountId}
	`
	const day = indianDay(Date.now())
	const row = { day, category: 'service', name: 'Replies', reported: 2, reportedFree: 2, countedFree: 0 }
	assert.deepEqual((await check())?.differences, [{ ...row, counted: 0 }])
	const usage = {
		day,
		market: 'IN',
		category: 'service',
		type: 'free_customer_service',
		isEstimate: false,
		messages: 2,
	}
	const charged = { ...usage, type: 'regular' }
	await transaction(app.context.db, (sql) => addUsage(sql, person.accountId, [charged]))
	assert.deepEqual((await check())?.differences, [{ ...row, counted: 2 }])
	const moved = [{ ...charged, messages: -2 }, usage]
	await transaction(app.context.db, (sql) => addUsage(sql, person.accountId, moved))
	assert.deepEqual((await check())?.differences, [])
	await control.addFault({ call: 'waba', kind: 'error', code: 10, status: 403, skip: 1, times: 1 })
	await readNextDay(person)
	const refused = await check()
	assert.deepEqual([refused?.isReadable, refused?.differences], [false, []])
})

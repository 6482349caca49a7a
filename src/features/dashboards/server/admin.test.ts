import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopSender } from '#features/whatsapp/server/service.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { account, template } from '#test/factories.ts'
import { launchTestApp, startTestApp } from '#test/http-app.ts'
import { adminDashboards } from '../admin-contract.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

test('adminDashboards.admin sums all accounts by Indian day, and names the users that an admin must act for', async () => {
	const { db } = app.context
	const [rich, poor, stopped] = [
		await account(app.context, { name: 'Rich', balancePaise: 100_050 }),
		await account(app.context, { name: 'Poor', balancePaise: 29 }),
		await account(app.context, { name: 'Stopped', balancePaise: 5_000 }),
	]
	const gone = await account(app.context, { name: 'Gone', balancePaise: 100 })
	await db`update users set deleted_at = now() where id = ${gone.userId}`
	await account(app.context, { name: 'Asleep', isActive: false })
	await db`
		insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token)
		values (${stopped.accountId}, '1', '2', '\\x00', 'key', 'verify'), (${rich.accountId}, '3', '4', '\\x00', 'key2', 'verify')
	`
	await stopSender(db, stopped.accountId, {
		user: 'Ask for a new token.',
		admin: 'The access token is no longer valid.',
	})
	await db`update wallets set available_paise = available_paise - 300, held_paise = 300 where account_id = ${rich.accountId}`
	await db`
		insert into daily_totals (account_id, day, sent, delivered, read, failed, spent_paise) values
			(${rich.accountId}, ${INDIAN_TODAY}, 10, 8, 5, 2, 1000), (${poor.accountId}, ${INDIAN_TODAY}, 1, 1, 0, 0, 30),
			(${rich.accountId}, ${INDIAN_TODAY} - 29, 100, 90, 50, 7, 9000), (${rich.accountId}, ${INDIAN_TODAY} - 30, 5000, 0, 0, 0, 77)
	`
	const { status, body } = await app.call(adminDashboards.admin, {}, admin)
	assert.equal(status, 200)
	assert.deepEqual(body.accounts, { users: 4, admins: 1, inactive: 1, newThisMonth: 5 })
	assert.deepEqual(body.messages.today, { sent: 11, delivered: 9, read: 5, failed: 2 })
	assert.deepEqual(body.messages.month, { sent: 111, delivered: 99, read: 55, failed: 9 })
	assert.equal(body.messages.days.length, 30)
	assert.deepEqual(
		[body.messages.days[0]?.sent, body.messages.days[1]?.sent, body.messages.days[29]?.sent],
		[100, 0, 11],
	)
	assert.deepEqual(body.money, { balance: 1048.79, onHold: 3, spentToday: 10.3, spentMonth: 100.3 })
	assert.deepEqual(
		body.problems.map(({ name, reason, since }) => [name, reason, typeof since]),
		[['Stopped', 'The access token is no longer valid.', 'string']],
	)
	assert.equal(body.problemCount, 1)
	// "Poor" counts once, although both credentials and money are missing.
	assert.equal(body.affectedCount, 2)
	assert.deepEqual(
		[body.withoutCredentials.count, body.withoutCredentials.users.map(({ name }) => name)],
		[1, ['Poor']],
	)
	assert.deepEqual([body.withoutMoney.count, body.withoutMoney.users.map(({ name }) => name)], [1, ['Poor']])
})

test('getAdminStats names senders that wait with the cause, senders without status updates, and accounts with unusually many refunds', async () => {
	const fresh = await startTestApp()
	try {
		const { db } = fresh.context
		const [waiting, silent, forged, ordinary] = [
			await account(fresh.context, { name: 'Waiting', balancePaise: 5_000 }),
			await account(fresh.context, { name: 'Silent', balancePaise: 5_000 }),
			await account(fresh.context, { name: 'Forged', balancePaise: 5_000 }),
			await account(fresh.context, { name: 'Ordinary', balancePaise: 5_000 }),
		]
		await db`
			insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token, silence_notified_at)
			values (${silent.accountId}, '1', '2', '\\x00', 'key', 'verify', now()), (${forged.accountId}, '3', '4', '\\x00', 'key2', 'verify', null),
				(${ordinary.accountId}, '5', '6', '\\x00', 'key3', 'verify', null), (${waiting.accountId}, '7', '8', '\\x00', 'key4', 'verify', null)
		`
		await db`
			update senders set waiting_reason = 'WhatsApp cannot be reached.', waiting_cause = 'certificate has expired'
			where account_id = ${waiting.accountId}
		`
		const line = (accountId: number, kind: string, { id, count }: { id: number; count: number }) => db`
			insert into statement_lines (account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
				available_after_paise, held_after_paise, message_count)
			values (${accountId}, ${id}, 100, ${kind}, 1, ${INDIAN_TODAY}, 0, 0, 0, 0, ${count})
		`
		await line(forged.accountId, 'capture', { id: 1000, count: 500 })
		await line(forged.accountId, 'refund', { id: 1001, count: 101 })
		await line(ordinary.accountId, 'capture', { id: 1000, count: 5000 })
		await line(ordinary.accountId, 'refund', { id: 1001, count: 999 })
		const { body } = await fresh.call(adminDashboards.admin, {}, await fresh.signIn('admin'))
		assert.deepEqual(
			body.problems.map(({ name, kind }) => [name, kind]),
			[
				['Waiting', 'waiting'],
				['Silent', 'no-reports'],
				['Forged', 'refunds'],
			],
		)
		assert.match(body.problems[0]?.reason ?? '', /^Sending continues when .* Cause: certificate has expired$/)
		assert.match(body.problems[2]?.reason ?? '', /^101 messages were refunded in the last 7 days, and 500 charged/)
		assert.deepEqual([body.problemCount, body.affectedCount], [3, 3])
		const metrics = await (await fetch(`${fresh.url}/metrics`)).text()
		assert.match(metrics, /^reports_silent_senders 1$/m)
	} finally {
		await fresh.close()
	}
})

test('adminDashboards.admin returns thirty empty days and no problems when the product has no users', async () => {
	const fresh = await startTestApp()
	try {
		const { body } = await fresh.call(adminDashboards.admin, {}, await fresh.signIn('admin'))
		assert.deepEqual(body.accounts, { users: 0, admins: 1, inactive: 0, newThisMonth: 1 })
		assert.equal(body.messages.month.sent, 0)
		assert.deepEqual([body.problems, body.withoutCredentials.count, body.withoutMoney.count], [[], 0, 0])
		assert.equal(body.affectedCount, 0)
	} finally {
		await fresh.close()
	}
})

test('adminDashboards.setUps returns key, webhook, template and balance of customers, and omits admins and unknown ids', async () => {
	const { db } = app.context
	const [fresh, ready, stopped] = [
		await account(app.context, { name: 'Fresh' }),
		await account(app.context, { name: 'Ready', balancePaise: 50_000 }),
		await account(app.context, { name: 'No token', balancePaise: 1 }),
	]
	await db`
		insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token, display_phone_number)
		values (${ready.accountId}, '71', '72', '\\x00', 'key71', 'verify', '+91 98765 43210'),
			(${stopped.accountId}, '73', '74', '\\x00', 'key73', 'verify', null)
	`
	await stopSender(db, stopped.accountId, { user: 'Ask for a new token.', admin: 'The token has expired.' })
	await db`insert into webhook_totals (account_id, last_received_at) values (${ready.accountId}, '2026-11-20T10:00:00Z')`
	await template(db, ready.accountId)
	const users = [fresh, ready, stopped].map(({ userId }) => userId)
	const { status, body } = await app.call(
		adminDashboards.setUps,
		{ query: { users: [...users, admin.userId, '999999999'].join(',') } },
		admin,
	)
	assert.equal(status, 200)
	assert.deepEqual(
		body.setUps.map(({ _id, key, keyProblem, webhookAt, approvedTemplates, balance, canPay }) => [
			_id,
			key,
			keyProblem,
			webhookAt,
			approvedTemplates,
			balance,
			canPay,
		]),
		[
			[fresh.userId, 'missing', null, null, 0, 0, false],
			[ready.userId, 'works', null, '2026-11-20T10:00:00.000Z', 1, 500, true],
			[stopped.userId, 'problem', 'The token has expired.', null, 0, 0.01, false],
		],
	)
	assert.equal(body.setUps[1]?.phoneNumber, '+91 98765 43210')
	assert.ok((body.setUps[0]?.marketingPrice ?? 0) > 0)
	assert.equal(body.setUps[0]?.hasDefaultPrices, true)
	await db`update prices set marketing_paise = marketing_paise + 1 where account_id = ${fresh.accountId}`
	const { body: changed } = await app.call(adminDashboards.setUps, { query: { users: fresh.userId } }, admin)
	assert.equal(changed.setUps[0]?.hasDefaultPrices, false)
	for (const wrong of ['', '1,', '1;2', 'x', Array.from({ length: 101 }, () => '1').join(',')])
		assert.equal((await app.call(adminDashboards.setUps, { query: { users: wrong } }, admin)).status, 400, wrong)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelCampaign } from '#features/delivery/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { account } from '#test/factories.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { readEnv, type Env } from '../env.ts'
import { housekeepingTasks } from './housekeeping-tasks.ts'

const product = await launchProduct()

test('a worker opens a scheduled campaign within two seconds after its time', async () => {
	const sender = await sendingAccount(product, { contacts: 1 })
	const opensAt = Temporal.Now.zonedDateTimeISO(INDIAN_TIME_ZONE).add({ milliseconds: 1200 })
	const scheduleDatetime = opensAt.toPlainDateTime().toString()
	const campaignId = await startCampaign(product, sender, { schedule: 'later', scheduleDatetime })
	const lateSeconds = async () => {
		const [row] = await product.db<{ seconds: number | null }[]>`
			select extract(epoch from started_at - opens_at)::float8 as seconds from campaigns where id = ${campaignId}
		`
		return row?.seconds ?? null
	}
	await until(async () => (await lateSeconds()) !== null)
	const seconds = (await lateSeconds()) ?? Number.NaN
	assert.ok(seconds >= 0 && seconds <= 2, `${seconds} s`)
})

test('a worker releases the held money of a cancelled campaign', async () => {
	const sender = await sendingAccount(product, { contacts: 5 })
	const campaignId = await startCampaign(product, sender, LATER)
	await cancelCampaign(product.process.context, sender.accountId, String(campaignId))
	await until(async () => (await getWallet(product.db, sender.accountId)).availablePaise === 500)
})

test('a worker stores a reconciliation within seconds of its first start', async () => {
	await until(async () => (await product.db`select 1 from money_audits`).length > 0)
})

test('a worker erases a deleted account after KEEP_ACCOUNT_DAYS, and none while sending is off after a restore', async () => {
	const { context } = product.process
	const person = await account(context)
	await product.db`update schema_migrations set applied_at = now() - interval '1 year'`
	await product.db`update users set deleted_at = now() - interval '41 days' where id = ${person.userId}`
	const eraseWith = async (env: Partial<Env>) => {
		const tasks = housekeepingTasks({ ...context, env: { ...context.env, ...env } })
		const task = tasks.find(({ name }) => name === 'erase deleted accounts')
		await task?.run(new AbortController().signal)
		const erased = await product.db`select 1 from users where id = ${person.userId} and erased_at is not null`
		return erased.length
	}
	assert.equal(await eraseWith({ KEEP_ACCOUNT_DAYS: 42 }), 0)
	assert.equal(await eraseWith({ KEEP_ACCOUNT_DAYS: 40, SENDING: 'off' }), 0)
	assert.equal(await eraseWith({ KEEP_ACCOUNT_DAYS: 40 }), 1)
	for (const days of ['30', '1'])
		assert.throws(
			() => readEnv({ SECRET_KEY: Buffer.alloc(32).toString('base64'), KEEP_ACCOUNT_DAYS: days }),
			/KEEP_ACCOUNT_DAYS: must be 31/,
		)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeHandlers } from '#app/server/webhook-handlers.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { numberStanding } from '#features/delivery/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { notify } from '#features/notifications/server/service.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { readNumberDaily } from '../meta-check.ts'
import { limitHandlers, readSenderLimits, requestLimitReading, stopSender } from '../service.ts'
import { findLimits } from './limit-queries.ts'

const app = await launchTestApp({ simulator: true })
const { db, cloudApi } = app.context
const { control } = app.simulator
const admin = await app.signIn('admin')
let calls = 0
const counted: typeof cloudApi = {
	...cloudApi,
	origin: cloudApi.origin,
	request(request) {
		calls++
		return cloudApi.request(request)
	},
}
await app.runJobs(limitHandlers({ ...app.context, cloudApi: counted }))

/** Saves the credentials of a new number whose portfolio has this limit. */
async function connected({ limit = 'TIER_2K' } = {}) {
	const person = await app.signIn('user')
	const given = await control.createAccount()
	await control.setPortfolio({ waba_id: given.waba_id, limit })
	const body = { params: { userId: person.userId }, body: given }
	assert.equal((await app.call(whatsapp.saveCredentials, body, admin)).status, 200)
	return { ...given, person, accountId: person.accountId, body }
}

async function limitOf(accountId: AccountId) {
	return (await findLimits(db, accountId))?.messagingLimit
}

/** Makes the requested readings due. Returns after they have run. */
async function runRequested(accountId: AccountId): Promise<void> {
	await db`update jobs set due_at = now() where owner_id = ${accountId}`
	await until(async () => (await db`select 1 from jobs where owner_id = ${accountId}`).length === 0)
}

const textsOf = async (person: TestAccount) =>
	(await app.call(notifications.list, {}, person)).body.notifications.map(({ text }) => text)

test('saveCredentials stores limit, portfolio, quality and health, and forgets those of a replaced number', async () => {
	const { accountId, waba_id, phone_number_id, person } = await connected()
	const read = await findLimits(db, accountId)
	assert.deepEqual(
		[read?.messagingLimit, read?.portfolioId, read?.quality, read?.healthStatus, read?.verificationStatus],
		[2000, `2${waba_id.slice(1)}`, 'GREEN', 'AVAILABLE', 'VERIFIED'],
	)
	assert.equal(read?.isOnPhoneApp, false)
	const other = await control.createAccount()
	await control.addFault({
		call: 'phone',
		phone_number_id: other.phone_number_id,
		kind: 'error',
		code: 1,
		status: 500,
		skip: 1,
		times: 1,
	})
	const body = { params: { userId: person.userId }, body: other }
	assert.equal((await app.call(whatsapp.saveCredentials, body, admin)).status, 200)
	assert.notEqual(other.phone_number_id, phone_number_id)
	assert.deepEqual(
		await findLimits(db, accountId).then((row) => [row?.messagingLimit, row?.portfolioId, row?.readAt]),
		[null, null, null],
	)
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), -1)
})

test('a number in the phone app sends 20 messages a second, also after a webhook of higher throughput', async () => {
	const { accountId, phone_number_id, body } = await connected()
	const pace = async () =>
		(await db<{ pace: number }[]>`select messages_per_second as pace from senders where account_id = ${accountId}`)[0]
			?.pace
	assert.equal(await pace(), 80)
	await control.setPhone({ phone_number_id, is_on_biz_app: true })
	await readSenderLimits(app.context, accountId)
	assert.equal(await pace(), 20)
	const [sender] = await db<
		{ number: string }[]
	>`select display_phone_number as number from senders where account_id = ${accountId}`
	const upgrade = { display_phone_number: sender?.number, event: 'THROUGHPUT_UPGRADE' }
	await transaction(
		db,
		async (sql) => void (await composeHandlers(app.context).phone_number_quality_update?.(sql, accountId, [upgrade])),
	)
	assert.equal(await pace(), 20)
	await app.call(whatsapp.saveCredentials, body, admin)
	assert.equal(await pace(), 20)
	await control.setPhone({ phone_number_id, is_on_biz_app: false })
	await readSenderLimits(app.context, accountId)
	assert.equal(await pace(), 80)
})

test('a burst of webhooks of any kind about limits causes one reading, and each form of the limit is accepted', async () => {
	const { accountId, waba_id } = await connected()
	await control.setPortfolio({ waba_id, limit: 'TIER_10K' })
	const handlers = composeHandlers(app.context)
	const values: [string, unknown][] = [
		['business_capability_update', { max_daily_conversations_per_business: 10_000 }],
		['business_capability_update', { max_daily_conversations_per_business: 'TIER_10K' }],
		['phone_number_quality_update', { event: 'ONBOARDING', current_limit: 'TIER_NEW' }],
		[
			'account_alerts',
			{
				alert_info: {
					alert_severity: 'WARNING',
					alert_status: 'ACTIVE',
					alert_type: 'INCREASED_CAPABILITIES_ELIGIBILITY_FAILED',
				},
			},
		],
		['account_update', { event: 'SOMETHING_NEW' }],
		['account_update', null],
	]
	for (const [field, value] of values)
		await transaction(db, async (sql) => void (await handlers[field]?.(sql, accountId, [value, value])))
	calls = 0
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), 10_000)
	assert.equal(calls, 2)
})

test('account_alerts notifies the account of the description, or of the type without one', async () => {
	const { accountId, person } = await connected()
	const alert = (alert_info: unknown) =>
		transaction(
			db,
			async (sql) =>
				void (await composeHandlers(app.context).account_alerts?.(sql, accountId, [{ alert_info }, { alert_info }])),
		)
	await alert({ alert_status: 'ACTIVE', alert_type: 'OBA_APPROVED', alert_description: 'You have the badge.' })
	await alert({ alert_status: 'ACTIVE', alert_type: 'OBA_REJECTED' })
	await alert({ alert_status: 'NONE', alert_type: 'OBA_GONE' })
	await alert(['nothing'])
	const texts = (await textsOf(person)).filter((text) => text.startsWith('WhatsApp reports'))
	assert.equal(texts.length, 2)
	assert.match(texts.join(), /oba rejected.*You have the badge\./)
})

test('a request is repeated while WhatsApp does not answer, ends at a refused token, and keeps the known limit meanwhile', async () => {
	const { accountId, waba_id, access_token, phone_number_id } = await connected()
	await control.setPortfolio({ waba_id, limit: 'TIER_250' })
	await control.addFault({ call: 'phone', phone_number_id, kind: 'error', code: 2, status: 503, times: 1 })
	await requestLimitReading(db, accountId)
	await db`update jobs set due_at = now() where owner_id = ${accountId}`
	await until(
		async () =>
			(await db`select 1 from jobs where owner_id = ${accountId} and attempts > 0 and claimed_by is null`).length > 0,
	)
	assert.equal(await limitOf(accountId), 2000)
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), 250)
	await control.rejectToken({ token: access_token })
	await requestLimitReading(db, accountId)
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), 250)
})

test('getLimits leaves out the fields that a token may not read, and reads the others', async () => {
	const { accountId, waba_id, phone_number_id } = await connected()
	await control.setPortfolio({ waba_id, limit: 'TIER_250' })
	// The second fault refuses one of the fields asked for alone.
	await control.addFault({ call: 'phone', phone_number_id, kind: 'error', code: 10, status: 403, times: 2 })
	await readSenderLimits(app.context, accountId)
	const read = await findLimits(db, accountId)
	assert.deepEqual([read?.messagingLimit, read?.verificationStatus], [250, 'VERIFIED'])
})

test('readNumberDaily reads the limits, an earlier reading does not replace a later one, and a failure asks for another', async () => {
	const { accountId, waba_id, phone_number_id } = await connected()
	const daily = async () => {
		await db`update senders set checked_at = now() - interval '2 days', number_read_at = null where account_id = ${accountId}`
		await readNumberDaily({ ...app.context, notify }, accountId)
	}
	await control.setPortfolio({ waba_id, limit: 'TIER_100K' })
	await daily()
	assert.equal(await limitOf(accountId), 100_000)
	await control.setPortfolio({ waba_id, limit: 'TIER_250' })
	await db`update senders set limits_read_at = now() + interval '1 minute' where account_id = ${accountId}`
	await daily()
	assert.equal(await limitOf(accountId), 100_000)
	await db`update senders set limits_read_at = now() - interval '1 minute' where account_id = ${accountId}`
	await control.addFault({ call: 'phone', phone_number_id, kind: 'error', code: 2, status: 503, skip: 1, times: 1 })
	await assert.rejects(daily)
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), 250)
})

test('a number that WhatsApp blocks stops sending with WhatsApp’s advice once, and its account is notified when the block ends', async () => {
	const { accountId, waba_id, person } = await connected()
	await control.setHealth({ waba_id, can_send_message: 'BLOCKED', possible_solution: 'Verify the business.' })
	const reason = async () =>
		(
			await db<
				{ reason: string | null }[]
			>`select stopped_reason as reason from senders where account_id = ${accountId}`
		)[0]?.reason
	await readSenderLimits(app.context, accountId)
	assert.match((await reason()) ?? '', /does not let your number send messages\. .*Verify the business\./)
	await readSenderLimits(app.context, accountId)
	await control.setHealth({ waba_id, can_send_message: 'AVAILABLE' })
	await readSenderLimits(app.context, accountId)
	await readSenderLimits(app.context, accountId)
	const texts = (await textsOf(person)).filter((text) => /send messages/.test(text))
	assert.equal(texts.length, 2)
	assert.match(texts[0] ?? '', /lets your number send messages again/)
})

test('a quality that falls to low pauses the campaigns being sent once, and an unknown status stops nothing', async () => {
	const { accountId, phone_number_id, person } = await connected()
	const campaignId = await campaignRow(db, accountId, { status: 'processing' })
	const status = async () =>
		(await db<{ status: string }[]>`select status from campaigns where account_id = ${accountId}`)[0]?.status
	await control.setPhone({ phone_number_id, quality: 'YELLOW' })
	await readSenderLimits(app.context, accountId)
	assert.equal(await status(), 'processing')
	await control.setPhone({ phone_number_id, quality: 'RED' })
	await readSenderLimits(app.context, accountId)
	assert.equal(await status(), 'paused')
	assert.ok((await textsOf(person)).some((text) => /is paused: WhatsApp now rates the quality/.test(text)))
	await db`update campaigns set status = 'processing' where account_id = ${accountId} and id = ${campaignId}`
	await readSenderLimits(app.context, accountId)
	assert.equal(await status(), 'processing')
	await db`update senders set quality = 'SOMETHING' where account_id = ${accountId}`
	await control.setPhone({ phone_number_id, quality: 'UNKNOWN' })
	await readSenderLimits(app.context, accountId)
	assert.equal(await status(), 'processing')
})

test('stopSender requests a reading', async () => {
	const { accountId, waba_id } = await connected()
	await control.setPortfolio({ waba_id, limit: 'TIER_250' })
	await transaction(db, async (sql) => void (await stopSender(sql, accountId, { user: 'Spam', admin: 'Spam' })))
	await runRequested(accountId)
	assert.equal(await limitOf(accountId), 250)
})

test('while WhatsApp blocks the number, campaigns are refused with its advice, and again allowed once a new reading finds no block', async () => {
	const { accountId, waba_id, person, body } = await connected()
	await control.setHealth({ waba_id, can_send_message: 'BLOCKED', possible_solution: 'Pay the bill.' })
	await readSenderLimits(app.context, accountId)
	const resume = () => app.call(campaigns.resumeSending, {}, person)
	const refused = await resume()
	assert.equal(refused.status, 409)
	assert.match(refused.body.message ?? '', /does not let your number send messages\. .*Pay the bill\./)
	const form = { name: 'Sale', templateId: '1', audienceType: 'all', schedule: 'now' } as const
	assert.match((await app.call(campaigns.create, { body: form }, person)).body.message ?? '', /Pay the bill/)
	const estimate = { body: { audienceType: 'all', timezone: 'Asia/Kolkata' } } as const
	const problems = async () => (await app.call(campaignPreflight.estimate, estimate, person)).body.problems
	const ofSender = (await problems()).filter(({ kind }) => kind === 'sender')
	assert.deepEqual(
		ofSender.map(({ isBlocking }) => isBlocking),
		[true],
	)
	// A reading of the last 30 seconds is not repeated.
	await control.setHealth({ waba_id, can_send_message: 'LIMITED', possible_solution: 'Verify the business.' })
	assert.equal((await resume()).status, 409)
	await db`update senders set limits_read_at = now() - interval '1 minute' where account_id = ${accountId}`
	assert.equal((await resume()).status, 200)
	const warnings = (await problems()).filter(({ kind }) => kind === 'sender')
	assert.deepEqual(
		warnings.map(({ isBlocking, message }) => [isBlocking, /Verify the business/.test(message)]),
		[[false, true]],
	)
	await control.setHealth({ waba_id, can_send_message: 'BLOCKED' })
	const saved = (await app.call(whatsapp.saveCredentials, body, admin)).body.credentials
	assert.match(saved.stoppedReason ?? '', /does not let your number send/)
	assert.equal(saved.limits?.healthStatus, 'BLOCKED')
})

test('numberStanding.limit returns limit and quality, null for unknown words, and null without a number', async () => {
	const { accountId, person } = await connected()
	const standing = async (of = person) => (await app.call(numberStanding.limit, {}, of)).body.standing
	const { perDay, quality } = (await standing()) ?? {}
	assert.deepEqual([perDay, quality], [2000, 'high'])
	await db`update senders set quality = 'SOMETHING', messaging_limit = null where account_id = ${accountId}`
	assert.deepEqual(await standing(), { perDay: null, left: null, quality: null })
	assert.equal(await standing(await app.signIn('user')), null)
})

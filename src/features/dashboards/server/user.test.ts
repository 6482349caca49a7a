import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { dashboards } from '../contract.ts'

const app = await launchTestApp()

interface Given {
	daysAgo: number
	kind?: 'campaign' | 'test' | 'chat' | 'api'
	status?: string
	counts: Partial<Record<'pending' | 'sent' | 'delivered' | 'read' | 'failed', number>>
}

/** Creates these campaigns for a new account and returns the dashboard's rates and its count of arriving messages. */
async function ratesOf(given: readonly Given[]) {
	const who = await app.signIn('user')
	const { db } = app.context
	for (const { daysAgo, kind = 'campaign', status = 'completed', counts } of given) {
		const { pending = 0, sent = 0, delivered = 0, read = 0, failed = 0 } = counts
		const id = await campaignRow(db, who.accountId)
		const end = status === 'completed' ? db`now() - make_interval(days => ${daysAgo}::int)` : null
		await db`
			update campaigns set kind = ${kind}, status = ${status}, total_count = ${pending + sent + delivered + read + failed},
				pending_count = ${pending}, sent_count = ${sent}, delivered_count = ${delivered}, read_count = ${read},
				failed_count = ${failed}, started_at = now() - make_interval(days => ${daysAgo}::int, mins => 1),
				finished_at = ${end}
			where account_id = ${who.accountId} and id = ${id}
		`
	}
	const { month } = (await app.call(dashboards.user, {}, who)).body
	return [month.deliveryRate, month.readRate, month.arriving]
}

test('dashboards.user returns rates as shares of all recipients, failed ones included, and counts the messages still arriving', async () => {
	const today = { sent: 20, delivered: 68, read: 50, failed: 62 }
	assert.deepEqual(await ratesOf([{ daysAgo: 0, counts: today }]), [0.59, 0.25, 20])
	const earlier = { sent: 100, delivered: 60, read: 20, failed: 20 }
	assert.deepEqual(await ratesOf([{ daysAgo: 5, counts: earlier }]), [0.4, 0.1, 0])
	assert.deepEqual(
		await ratesOf([
			{ daysAgo: 0, counts: today },
			{ daysAgo: 5, counts: earlier },
		]),
		[0.495, 0.175, 20],
	)
})

test('dashboards.user counts the unsent messages of a running campaign as arriving, and none of a paused campaign', async () => {
	const counts = { pending: 50, sent: 10, read: 40 }
	assert.deepEqual(await ratesOf([{ daysAgo: 3, status: 'processing', counts }]), [0.4, 0.4, 60])
	assert.deepEqual(await ratesOf([{ daysAgo: 0, status: 'paused', counts }]), [0.4, 0.4, 10])
})

test('dashboards.user returns null rates when the last 30 days have only tests, chat templates and older campaigns', async () => {
	const counts = { read: 1 }
	assert.deepEqual(
		await ratesOf([
			{ daysAgo: 0, kind: 'test', counts },
			{ daysAgo: 0, kind: 'chat', counts },
			{ daysAgo: 30, counts },
		]),
		[null, null, 0],
	)
	assert.deepEqual(await ratesOf([]), [null, null, 0])
	assert.deepEqual(await ratesOf([{ daysAgo: 28, kind: 'api', counts }]), [1, 1, 0])
})

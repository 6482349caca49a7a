import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifications } from '#features/notifications/contract.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
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

const SETUP = { credentials: false, template: false, contacts: false, recharge: false, campaign: false }

test('dashboards.user returns the empty state of a new account, and each finished step, the last one once a campaign has started', async () => {
	const who = await app.signIn('user')
	const { db } = app.context
	const read = async () => (await app.call(dashboards.user, {}, who)).body
	const { latest, running, upcoming, waitingChats, longestWaiting, limit, wallet, steps } = await read()
	assert.deepEqual(
		[latest, running, upcoming, waitingChats, longestWaiting, limit, wallet],
		[[], [], [], 0, null, null, { balance: 0, marketingMessages: 0 }],
	)
	assert.deepEqual(steps, SETUP)
	await transaction(db, (sql) =>
		postRecharge(sql, who.accountId, { reference: `recharge:home-${who.accountId}`, amountPaise: 123_450 }),
	)
	const id = await campaignRow(db, who.accountId)
	await db`update campaigns set started_at = null where account_id = ${who.accountId} and id = ${id}`
	const paid = await read()
	assert.deepEqual(paid.wallet, { balance: 1234.5, marketingMessages: 1234 })
	assert.deepEqual(paid.steps, { ...SETUP, recharge: true })
	await db`update campaigns set started_at = now() where account_id = ${who.accountId} and id = ${id}`
	assert.equal((await read()).steps.campaign, true)
})

test('dashboards.user counts customers whose latest message has no answer, read or not, as the bell does, and names who waits longest', async () => {
	const [who, other] = [await app.signIn('user'), await app.signIn('user')]
	const { db } = app.context
	const chats = [
		{ key: '919000000001', hours: 3, unread: 2 },
		// Read without an answer, within and after the service window.
		{ key: '919000000002', hours: 20, unread: 0 },
		{ key: '919000000003', hours: 25, unread: 0 },
		{ key: '919000000004', hours: 5, unread: 0, answer: 'sent' },
		{ key: '919000000005', hours: 4, unread: 1, answer: 'failed' },
		// Reacted to the answer.
		{ key: '919000000006', hours: 6, unread: 0, answer: 'read', reacted: true },
	]
	for (const { accountId } of [who, other])
		for (const { key, hours, unread, answer = null, reacted = false } of chats) {
			const ago = (minutes: number) => new Date(Date.now() - hours * HOUR_MS + minutes * MINUTE_MS).toISOString()
			const closes = new Date(Date.now() + (24 - hours) * HOUR_MS).toISOString()
			await db`
				insert into chats (account_id, key, last_line, last_at, unread, inbound_at, window_expires_at)
				values (${accountId}, ${key}, 'Hi', ${ago(answer ? 1 : 0)}, ${unread}, ${ago(reacted ? 2 : 0)}, ${closes})
			`
			await db`
				insert into chat_messages (account_id, chat, direction, kind, status, at)
				values (${accountId}, ${key}, 'in', 'text', 'delivered', ${ago(0)})
			`
			if (answer)
				await db`
					insert into chat_messages (account_id, chat, direction, kind, status, at)
					values (${accountId}, ${key}, 'out', 'text', ${answer}, ${ago(1)})
				`
		}
	const { waitingChats, longestWaiting } = (await app.call(dashboards.user, {}, who)).body
	assert.equal(waitingChats, 3)
	assert.deepEqual(
		[longestWaiting?.name, longestWaiting?.link],
		['+91 90000 00002', '/user/live/chats?chat=919000000002'],
	)
	const { chats: bell } = (await app.call(notifications.list, {}, who)).body
	assert.deepEqual(
		[bell?.count, bell?.unread, bell?.rows.map(({ link, unread }) => [link.slice(-1), unread])],
		[
			3,
			2,
			[
				['1', 2],
				['5', 1],
				['2', 0],
			],
		],
	)
})

test('dashboards.user lists the five latest campaigns without tests', async () => {
	const who = await app.signIn('user')
	const { db } = app.context
	const ids: string[] = []
	for (let at = 0; at < 7; at++) ids.push(String(await campaignRow(db, who.accountId)))
	await db`update campaigns set kind = 'test' where account_id = ${who.accountId} and id = ${ids[6] ?? ''}`
	const { latest } = (await app.call(dashboards.user, {}, who)).body
	assert.deepEqual(
		latest.map(({ _id }) => _id),
		ids.slice(1, 6).toReversed(),
	)
})

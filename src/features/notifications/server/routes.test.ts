import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { liveChannel, subscribe } from '#lib/server/db/channels/channels.ts'
import { campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { notifications, type NotificationFilter } from '../contract.ts'
import { notificationOf } from './kinds.ts'
import { notify } from './service.ts'

const app = await launchTestApp()

test('notifications.list returns pages of notifications, newest first, with the unread count until they are marked read', async () => {
	const person = await app.signIn('user')
	for (let n = 1; n <= 11; n++) await notify(app.context.db, person.accountId, { text: `Note ${n}`, link: '/profile' })
	const { body: first } = await app.call(notifications.list, { query: { page: 1 } }, person)
	assert.deepEqual([first.unread, first.pages, first.notifications.length], [12, 2, 10])
	assert.deepEqual(
		[first.notifications[0]?.text, first.notifications[0]?.link, first.notifications[0]?.unread],
		['Note 11', '/profile', true],
	)
	assert.equal((await app.call(notifications.markRead, {}, person)).status, 200)
	const { body: second } = await app.call(notifications.list, { query: { page: 2 } }, person)
	assert.equal(second.unread, 0)
	assert.deepEqual(
		second.notifications.map((note) => [note.text, note.unread]),
		[
			['Note 1', false],
			['Welcome! Your account is ready.', false],
		],
	)
})

test('notifications.list orders by time, and adds its present result to a completed campaign of the account', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const { db } = app.context
	const [id, theirs] = [await campaignRow(db, person.accountId), await campaignRow(db, other.accountId)]
	await db`update campaigns set total_count = 5, delivered_count = 3, read_count = 1, failed_count = 1 where id = ${id}`
	for (const completed of [id, theirs])
		await notify(db, person.accountId, notificationOf.campaignCompleted({ id: completed, name: 'Diwali' }))
	await notify(db, person.accountId, notificationOf.campaignPaused({ id, name: 'Diwali', reason: 'no money' }))
	await db`
		update notifications set created_at = now() - interval '1 day'
		where account_id = ${person.accountId} and text like '%paused%'
	`
	const { body } = await app.call(notifications.list, { query: { page: 1 } }, person)
	assert.deepEqual(
		body.notifications.map(({ text, result }) => [text, result]),
		[
			['Campaign "Diwali" is completed', undefined],
			['Campaign "Diwali" is completed', '4 of 5 people got it, 1 read it, 1 failed'],
			['Welcome! Your account is ready.', undefined],
			['Campaign "Diwali" is paused: no money', undefined],
		],
	)
})

test('notifications.markRead leaves other accounts’ notifications unread', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	await app.call(notifications.markRead, {}, person)
	assert.equal((await app.call(notifications.list, {}, other)).body.unread, 1)
})

test('notifications.list filters by unread and by subject, and ignores an unknown filter', async () => {
	const person = await app.signIn('user')
	await app.call(notifications.markRead, {}, person)
	const { accountId } = person
	await transaction(app.context.db, async (sql) => {
		await notify(sql, accountId, { text: 'Diwali', link: '/campaign/7' })
		await notify(sql, accountId, { text: 'Approved', link: '/user/template/management' })
		await notify(sql, accountId, { text: 'Recharged', link: '/user/recharge/transaction' })
	})
	const texts = async (filter: NotificationFilter) => {
		const { body } = await app.call(notifications.list, { query: { page: 1, filter } }, person)
		return body.notifications.map(({ text }) => text)
	}
	assert.deepEqual(await texts('campaigns'), ['Diwali'])
	assert.deepEqual(await texts('templates'), ['Approved'])
	assert.deepEqual(await texts('money'), ['Recharged'])
	assert.deepEqual(await texts('unread'), ['Recharged', 'Approved', 'Diwali'])
	assert.equal((await texts('nonsense' as 'unread')).length, 4)
})

test('notify publishes a live event when its transaction commits, and none when it rolls back', async () => {
	const { db, listener } = app.context
	const heard: [AccountId, string][] = []
	const stop = await subscribe(listener, liveChannel, {
		onPayload: ({ accountId, event }) => heard.push([accountId, event.kind]),
	})
	const { accountId } = await app.signIn('user')
	const notified = () => heard.filter(([heardBy]) => heardBy === accountId)
	// The notification that welcomes the new account.
	await until(() => notified().length === 1)
	await assert.rejects(
		transaction(db, async (sql) => {
			await notify(sql, accountId, { text: 'Never happened' })
			throw new Error('rolled back')
		}),
		/rolled back/,
	)
	await transaction(db, (sql) => notify(sql, accountId, { text: 'Happened' }))
	await until(() => notified().length > 1)
	stop()
	assert.deepEqual(notified(), [
		[accountId, 'notification'],
		[accountId, 'notification'],
	])
})

test('notify keeps the newest 1,000 notifications of an account', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const { db } = app.context
	await db`
		insert into notifications (account_id, text) select ${person.accountId}, 'Note ' || n from generate_series(1, 1005) n
	`
	await notify(db, person.accountId, { text: 'The newest' })
	const rows = await db<{ text: string }[]>`
		select text from notifications where account_id = ${person.accountId} order by id
	`
	assert.deepEqual([rows.length, rows[0]?.text, rows.at(-1)?.text], [1000, 'Note 7', 'The newest'])
	assert.equal((await app.call(notifications.list, { query: { page: 1 } }, other)).body.notifications.length, 1)
})

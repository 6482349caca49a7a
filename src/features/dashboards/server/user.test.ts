import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { launchTestApp } from '#test/http-app.ts'
import { dashboards } from '../contract.ts'

const app = await launchTestApp()

/** The rates after these days: how long ago, and how many were sent, delivered and read then. */
async function ratesOf(days: readonly (readonly [daysAgo: number, sent: number, delivered: number, read: number])[]) {
	const who = await app.signIn('user')
	for (const [daysAgo, sent, delivered, read] of days)
		await app.context.db`
			insert into daily_totals (account_id, day, sent, delivered, read)
			values (${who.ownerId}, ${INDIAN_TODAY} - ${daysAgo}::int, ${sent}, ${delivered}, ${read})
		`
	const { month } = (await app.call(dashboards.user, {}, who)).body
	return [month.deliveryRate, month.readRate]
}

test('the rates count messages of the last two days once they are delivered, and older ones in any case', async () => {
	assert.deepEqual(await ratesOf([[0, 1000, 50, 10]]), [1, 0.2])
	assert.deepEqual(
		await ratesOf([
			[5, 100, 90, 60],
			[1, 500, 0, 0],
		]),
		[0.9, 0.6],
	)
	assert.deepEqual(
		await ratesOf([
			[5, 100, 80, 40],
			[1, 100, 60, 20],
			[0, 100, 40, 20],
		]),
		[0.9, 0.4],
	)
})

test('the rates are unknown while no message has had its time', async () => {
	assert.deepEqual(await ratesOf([[0, 1000, 0, 0]]), [null, null])
	assert.deepEqual(await ratesOf([]), [null, null])
})

test('the rates are at most 1 when reports come late for messages of earlier days', async () => {
	assert.deepEqual(await ratesOf([[0, 10, 40, 40]]), [1, 1])
})

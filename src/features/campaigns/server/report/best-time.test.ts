import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

/** Creates an account with a campaign that has `count` reads at each time `at`. */
async function readAt(reads: [at: string, count: number][]) {
	const { db } = app.context
	const who = await app.signIn('user')
	const id = await campaignRow(db, who.accountId)
	for (const [at, count] of reads)
		await db`
			insert into campaign_minutes (account_id, campaign_id, minute, read) values (${who.accountId}, ${id}, ${at}, ${count})
		`
	return { id, ask: async () => (await app.call(campaigns.bestTime, {}, who)).body.best }
}

test('bestTime names the hour and the weekday of most reads in Indian time, each counted separately', async () => {
	const { ask } = await readAt([
		// Sunday, 7:40 pm in India.
		['2026-11-22T14:10:00Z', 300],
		// Saturday, 7:05 pm, and Saturday, half past midnight: Friday by UTC.
		['2026-11-21T13:35:00Z', 150],
		['2026-11-20T19:00:00Z', 200],
		// A Monday more than two weeks before, 9 am.
		['2026-11-02T03:30:00Z', 100],
	])
	assert.deepEqual(await ask(), { hour: 19, weekday: 6 })
})

test('bestTime is null while all reads fall within less than two weeks', async () => {
	const { id, ask } = await readAt([
		['2026-11-22T14:10:00Z', 5000],
		['2026-11-08T14:11:00Z', 5000],
	])
	assert.equal(await ask(), null)
	await app.context
		.db`update campaign_minutes set minute = '2026-11-08T14:10:00Z' where campaign_id = ${id} and minute < '2026-11-20'`
	assert.deepEqual(await ask(), { hour: 19, weekday: 0 })
})

test('bestTime is null before 500 messages were read, and leaves out campaigns that finished over 90 days ago', async () => {
	const { id, ask } = await readAt([
		['2026-11-22T14:10:00Z', 249],
		['2026-11-01T14:10:00Z', 250],
	])
	assert.equal(await ask(), null)
	await app.context.db`update campaign_minutes set read = 250 where campaign_id = ${id}`
	assert.deepEqual(await ask(), { hour: 19, weekday: 0 })
	await app.context.db`
		update campaigns set status = 'completed', finished_at = now() - interval '91 days' where id = ${id}
	`
	assert.equal(await ask(), null)
})

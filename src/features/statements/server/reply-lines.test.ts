import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indianDay } from '#lib/dates.ts'
import { launchReplyScene, replyUpdate } from '#test/reply-scene.ts'
import { statements } from '../contract.ts'
import { makeStatement } from './pdf/statement-file.ts'

const { app, db, newAccount, reply, receive, findings } = await launchReplyScene()

/** Moves an account's statement lines and entries a day back, as if they had been posted then. */
async function ageByADay(accountId: number): Promise<void> {
	await db`
		update statement_lines set day = day - 1, last_at = (last_at at time zone 'UTC' - interval '1 day') at time zone 'UTC',
			campaign_id = case when campaign_id < 0
				then -(extract(year from day - 1) * 10000 + extract(month from day - 1) * 100 + extract(day from day - 1))
				else campaign_id end
		where account_id = ${accountId}
	`
	await db`
		update ledger_entries set created_at = (created_at at time zone 'UTC' - interval '1 day') at time zone 'UTC'
		where account_id = ${accountId}
	`
	await db`update wallets set statement_day = statement_day - 1 where account_id = ${accountId}`
}

test('a statement sums the replies of a day into one group and one line for each kind, and names them', async () => {
	const my = await newAccount(1000)
	const first = [await reply(my), await reply(my)]
	await receive(
		my,
		first.map((id) => replyUpdate(id, 'sent', { type: 'regular' })),
	)
	await ageByADay(my.accountId)
	const [charged, free, waiting] = [await reply(my), await reply(my), await reply(my)]
	await receive(my, [replyUpdate(charged, 'sent', { type: 'regular' })])
	await receive(my, [replyUpdate(free, 'sent', { type: 'free_customer_service' })])
	assert.ok(waiting)
	const params = { userId: my.userId }
	const { body } = await app.call(statements.groups, { params, query: { page: 1 } }, my)
	assert.deepEqual(
		body.groups.map(({ notes, messageCount, availableChange, heldChange, campaign }) => [
			notes,
			messageCount,
			availableChange,
			heldChange,
			campaign,
		]),
		[
			['Replies in chats', 1, -0.24, 0.12, null],
			['Replies in chats', 2, -0.24, 0, null],
			[null, null, 10, 0, null],
		],
	)
	const today = indianDay(Date.now())
	assert.equal(body.groups[0]?.linesOf, `-${today.replaceAll('-', '')}`)
	const lines = await app.call(
		statements.list,
		{ params, query: { page: 1, campaign: body.groups[0]?.linesOf ?? '' } },
		my,
	)
	assert.deepEqual(
		lines.body.lines.map(({ kind, messageCount, available, held }) => [kind, messageCount, available, held]),
		[
			['release', 1, 9.52, 0.12],
			['capture', 1, 9.4, 0.24],
			['hold', 3, 9.4, 0.36],
		],
	)
	const spending = await app.call(statements.spending, { params, query: { month: today.slice(0, 7) } }, my)
	assert.deepEqual(spending.body.days.at(-1), {
		day: today,
		marketing: 0,
		utility: 0,
		authentication: 0,
		service: 0.12,
	})
	const csv = await app.call(statements.export, { params, query: { kind: 'capture' } }, my)
	const rows = (await csv.body.text()).trim().split('\r\n').slice(1)
	assert.deepEqual(
		rows.map((row) => row.split(',').filter((_, at) => [3, 5, 8].includes(at))),
		[
			['1', '-0.12', 'Replies in chats'],
			['2', '-0.24', 'Replies in chats'],
		],
	)
	assert.deepEqual(await findings(my), [])
	const issuer = { name: 'Issuer', address: '', gstin: '' }
	assert.ok(
		await makeStatement(db, issuer, {
			accountId: my.accountId,
			month: today.slice(0, 7),
			signal: new AbortController().signal,
		}),
	)
})

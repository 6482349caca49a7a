import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { readStatusUpdates } from '../message/status-update.ts'
import { settle } from '../settlement/settle.ts'
import { settleStatusUpdates } from '../settlement/status-updates.ts'
import { notifySilence } from './silence.ts'

const MESSAGES = 40

const product = await launchProduct({ env: { ROLE: 'http' } })

interface Given {
	accountId: AccountId
	campaignId: number
}

/** Creates a campaign with `count` messages that were accepted `minutesAgo` minutes ago. */
async function sentCampaign(count: number, minutesAgo: number): Promise<Given> {
	const sender = await sendingAccount(product, { contacts: MESSAGES })
	const campaignId = await startCampaign(product, sender, LATER)
	await product.db`update campaigns set status = 'processing', started_at = now() - interval '1 day' where id = ${campaignId}`
	const given = { accountId: sender.accountId, campaignId }
	await accept(given, { from: 1, to: count, minutesAgo })
	return given
}

async function accept(
	{ accountId, campaignId }: Given,
	{ from, to, minutesAgo }: { from: number; to: number; minutesAgo: number },
): Promise<void> {
	const updates = Array.from({ length: to - from + 1 }, (_, index) => ({
		campaignId,
		seq: from + index,
		status: 'sent' as const,
		at: new Date(Date.now() - minutesAgo * MINUTE_MS),
		wamid: null,
		errorCode: null,
		error: null,
		isInQualityCheck: false,
	}))
	await transaction(product.db, (sql) => settle(sql, accountId, { updates, notify: product.process.context.notify }))
}

async function updateStatuses({ accountId, campaignId }: Given, seq: number): Promise<void> {
	const statuses = [{ id: `w${seq}`, status: 'delivered', biz_opaque_callback_data: `campaign:${campaignId}:${seq}` }]
	const { notify } = product.process.context
	await transaction(product.db, (sql) =>
		settleStatusUpdates(sql, accountId, { statusUpdates: readStatusUpdates(statuses), notify }),
	)
}

async function alarmsOf(accountId: AccountId): Promise<number> {
	await notifySilence(product.process.context)
	const rows = await product.db`
		select 1 from notifications where account_id = ${accountId} and text like 'No delivery reports%'
	`
	return rows.length
}

async function isSilent(accountId: AccountId): Promise<boolean> {
	const rows =
		await product.db`select 1 from senders where account_id = ${accountId} and silence_notified_at is not null`
	return rows.length > 0
}

test('notifySilence notifies the account once when twenty messages of over an hour ago have no status update', async () => {
	const { accountId } = await sentCampaign(20, 61)
	assert.equal(await alarmsOf(accountId), 1)
	assert.equal(await alarmsOf(accountId), 1)
	assert.equal(await isSilent(accountId), true)
})

test('notifySilence raises no notification for a sender that has sent too little, or too recently', async () => {
	const few = await sentCampaign(19, 61)
	const young = await sentCampaign(MESSAGES, 59)
	assert.equal(await alarmsOf(few.accountId), 0)
	assert.equal(await alarmsOf(young.accountId), 0)
})

test('a status update for a later message ends the silence, and only messages after it can lead to the next notification', async () => {
	const given = await sentCampaign(20, 180)
	assert.equal(await alarmsOf(given.accountId), 1)
	await accept(given, { from: 21, to: 21, minutesAgo: 120 })
	await updateStatuses(given, 21)
	assert.equal(await isSilent(given.accountId), false)
	assert.equal(await alarmsOf(given.accountId), 1)
	await accept(given, { from: 22, to: 40, minutesAgo: 90 })
	assert.equal(await alarmsOf(given.accountId), 1, '19 messages since the status update')
	const [sender] = await product.db<{ minutes: number }[]>`
		select extract(epoch from now() - reported_through)::float8 / 60 as minutes from senders where account_id = ${given.accountId}
	`
	assert.equal(Math.round(sender?.minutes ?? 0), 120)
})

test('a status update for a message sent within a minute of the last noted one does not update the sender’s row', async () => {
	const given = await sentCampaign(1, 30)
	await accept(given, { from: 2, to: 2, minutesAgo: 29.5 })
	const versionOf = async () =>
		(
			await product.db<
				{ version: string }[]
			>`select xmin::text as version from senders where account_id = ${given.accountId}`
		)[0]?.version
	await updateStatuses(given, 1)
	const version = await versionOf()
	await updateStatuses(given, 2)
	assert.equal(await versionOf(), version)
})

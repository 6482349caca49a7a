import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordWhatsappIds } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { transaction, type Sql } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { findReplied } from '../replies/reply-queries.ts'
import { findByWamid } from '../settlement/status-update-queries.ts'
import { createPartitionsAllAccounts, moveIdsAllAccounts } from './month-queries.ts'
import { FIRST_MONTH, idsOf } from './month.ts'

const product = await launchProduct({ env: { ROLE: 'http' } })

const both = <T>(outcome: T) => [outcome, outcome]

/**
 * Returns the number of rows of the first partition that this transaction has read, and earlier ones whose reads were
 * not counted yet.
 */
async function readsOfFirst(sql: Sql): Promise<number> {
	const [row] = await sql<{ rows: number }[]>`
		select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'campaign_messages_first'
	`
	return row?.rows ?? 0
}

test('findByWamid and findReplied find a message of any month, and read older months only for messages that recent months do not have', async () => {
	const { db } = product
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 200 })
	const old = await startCampaign(product, sender, LATER)
	const later = idsOf(FIRST_MONTH + 3)
	await createPartitionsAllAccounts(db, later)
	await moveIdsAllAccounts(db, later.firstId)
	const recent = await startCampaign(product, sender, LATER)
	const [row] = await db<{ number: string }[]>`
		update campaign_messages set wamid = 'wamid.' || campaign_id where account_id = ${sender.accountId} returning number
	`
	const find = (campaignId: number) => {
		const message = { wamid: `wamid.${campaignId}`, recipient: row?.number ?? '', number: row?.number ?? '' }
		const finders = [findByWamid, findReplied].map((finder) => async (sql: Sql) => {
			const readBefore = await readsOfFirst(sql)
			const found = await finder(sql, sender.accountId, [message])
			return { found: found.map((one) => one.campaignId), asksOlder: (await readsOfFirst(sql)) > readBefore }
		})
		return Promise.all(finders.map((work) => transaction(db, work, { isByKey: true })))
	}
	// On a cluster, the coordinator's statistics do not count the reads of the account's machine.
	const asksOlder = !(await isDistributed(db))
	assert.deepEqual(await find(recent), both({ found: [recent], asksOlder: false }))
	assert.deepEqual(await find(old), both({ found: [old], asksOlder }))
	assert.deepEqual(await find(0), both({ found: [], asksOlder }))
})

test('findByWamid and findReplied find a message when WhatsApp names its recipient by another id than the number', async () => {
	const { db } = product
	const sender = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, sender, LATER)
	const [row] = await db<{ number: string }[]>`
		update campaign_messages set wamid = 'wamid.1' where account_id = ${sender.accountId} returning number
	`
	const waId = '553187654321'
	const ids = [{ number: row?.number ?? '', waId }]
	await transaction(db, (sql) => recordWhatsappIds(sql, sender.accountId, ids))
	const message = { wamid: 'wamid.1', recipient: waId, number: waId }
	for (const find of [findByWamid, findReplied]) {
		const found = await transaction(db, (sql) => find(sql, sender.accountId, [message]))
		assert.deepEqual(
			found.map((one) => one.campaignId),
			[campaignId],
		)
	}
})

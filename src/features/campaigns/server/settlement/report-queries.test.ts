import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transaction, type Sql } from '#lib/server/db.ts'
import { sendingAccount, startCampaign, startProduct, type Product } from '#test/full-stack.ts'
import { createPartitionsAllOwners, moveIdsAllOwners } from '../months/month-queries.ts'
import { FIRST_MONTH, idsOf } from '../months/month.ts'
import { findByWamid } from './report-queries.ts'

const LATER = { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' } as const

let product: Product
before(async () => {
	product = await startProduct({ env: { ROLE: 'http' } })
})
after(() => product.close())

/** Rows read of the first partition by this transaction, and by those before it that were not counted yet. */
async function readsOfFirst(sql: Sql): Promise<number> {
	const [row] = await sql<{ rows: number }[]>`
		select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'campaign_messages_first'
	`
	return row?.rows ?? 0
}

test('findByWamid finds a message of any month, and asks older months only for what the recent ones do not have', async () => {
	const { db } = product
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 200 })
	const old = await startCampaign(product, sender, LATER)
	const later = idsOf(FIRST_MONTH + 3)
	await createPartitionsAllOwners(db, later)
	await moveIdsAllOwners(db, later.firstId)
	const recent = await startCampaign(product, sender, LATER)
	const [row] = await db<{ number: string }[]>`
		update campaign_messages set wamid = 'wamid.' || campaign_id where account_id = ${sender.ownerId} returning number
	`
	const find = (campaignId: number) => {
		const report = { wamid: `wamid.${campaignId}`, recipient: row?.number ?? '' }
		const work = async (sql: Sql) => {
			const readBefore = await readsOfFirst(sql)
			const found = await findByWamid(sql, sender.ownerId, [report])
			return [found.map((one) => one.campaignId), (await readsOfFirst(sql)) - readBefore]
		}
		return transaction(db, work, { isByKey: true })
	}
	assert.deepEqual(await find(recent), [[recent], 0])
	assert.deepEqual(await find(old), [[old], 1])
	assert.deepEqual(await find(0), [[], 1])
})

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import { createTestDatabase } from '#test/database.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startSendingProduct } from '../programs/sending-product.ts'

const RECIPIENTS = 10_000
const PACE = 1000
const LATENCY_MS = 50
const STATUSES = { sentMs: 1000, deliveredMs: 3000, readMs: 8000, jitter: 0.5, readRate: 0.7, failRate: 0.02 }
/** Maximum time from the last message to its last status update. */
const SETTLED_MS = 15_000
/** Maximum time until PostgreSQL has written the counters of its tables. */
const STATISTICS_MS = 1500

export interface Life {
	/** Bytes of one delivered and read message with its indexes. */
	bytes: number
	/** Bytes of WAL per message: of creating its campaign (`createdWal`), and of everything afterwards (`sentWal`). */
	createdWal: number
	sentWal: number
	/** Share of updates that stay within their page and change no index. */
	inPage: number
}

/** Measures the cost of one message while a campaign is created, sent, delivered and read. */
export async function measureLife(): Promise<Life> {
	const database = await createTestDatabase()
	const db = database.sql
	const product = await startSendingProduct(database.url)
	try {
		await product.simulator.control.setStatusPlan(STATUSES)
		await product.simulator.control.setLatency({ minMs: LATENCY_MS, maxMs: LATENCY_MS })
		const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PACE })
		const { phone_number_id } = sender.credentials
		await product.simulator.control.setThroughput({ phone_number_id, level: 'HIGH' })
		await db`vacuum analyze`
		await db`checkpoint`
		const before = await walOf(db)
		const campaignId = await startCampaign(product, sender)
		const created = await walOf(db)
		while (!(await isCompleted(db, campaignId))) await sleep(500)
		await sleep(SETTLED_MS)
		const done = await walOf(db)
		await sleep(STATISTICS_MS)
		const [row] = await db<{ bytes: number; inPage: number }[]>`
			select sum(pg_total_relation_size(s.relid))::float8 as bytes,
				(sum(s.n_tup_hot_upd) / sum(s.n_tup_upd))::float8 as "inPage"
			from pg_partition_tree('campaign_messages') p
			join pg_stat_user_tables s on s.relid = p.relid
			where p.isleaf
		`
		return {
			bytes: (row?.bytes ?? 0) / RECIPIENTS,
			createdWal: (created - before) / RECIPIENTS,
			sentWal: (done - created) / RECIPIENTS,
			inPage: row?.inPage ?? 0,
		}
	} finally {
		await product.stop()
		await database.drop()
	}
}

async function walOf(db: Db): Promise<number> {
	const [row] = await db<{ bytes: number }[]>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`
	return row?.bytes ?? 0
}

async function isCompleted(db: Db, campaignId: number): Promise<boolean> {
	return (await db`select 1 from campaigns where id = ${campaignId} and status = 'completed'`).length > 0
}

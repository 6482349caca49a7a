import { Pool } from 'undici'
import { formatCount } from '#lib/numbers.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createTestDatabase } from '#test/database.ts'
import { get, timeInTurn } from './programs/in-turn.ts'
import { startServerProcess } from './programs/server-process.ts'
import { campaignCalls, type SentCampaign } from './scenes/campaign-calls.ts'
import { addContacts, openPayer, p95, type Payer } from './scenes/campaigns-data.ts'

/**
 * Measures every list and report call of campaigns, alternately for an account whose campaign has 10,000 messages and
 * for one whose campaign has a million. The 95th percentile of the larger may be twice that of the smaller. Both
 * campaigns have three failed messages.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SMALL_ROWS = Math.min(10_000, ROWS)
const CALLS = Number(process.env.BENCH_CALLS ?? 100)
const CAMPAIGNS = 40
const FAILED = 3

const database = await createTestDatabase()
const db = database.sql
const server = await startServerProcess(database.url)
const pool = new Pool(server.url, { connections: 1 })
const accounts = [await openSent(SMALL_ROWS), await openSent(ROWS)] as const
await db`vacuum analyze`

let worst = 0
for (const [name, path] of campaignCalls()) {
	const asks = accounts.map((account) => (call: number) => get(pool, path(account, call), account.token))
	const [small = 0, large = 0] = (await timeInTurn(asks, CALLS)).map(p95)
	worst = Math.max(worst, large / small)
	console.log(
		`${name.padEnd(34)}p95 ${small.toFixed(1).padStart(6)} ms with ${formatCount(SMALL_ROWS)}, ${large.toFixed(1).padStart(6)} ms with ${formatCount(ROWS)}: ${(large / small).toFixed(2)}`,
	)
}
console.log(`worst ratio ${worst.toFixed(2)} (wanted: at most 2)`)
await compareFailed()

await pool.close()
await server.stop()
await database.drop()

type SentAccount = Payer & SentCampaign

/** Creates an account with contacts, a campaign to all of them, most of it read, and a few small campaigns. */
async function openSent(rows: number): Promise<SentAccount> {
	const payer = await openPayer(db)
	const accountId = payer.accountId
	await addContacts(db, accountId, rows)
	for (let n = 1; n < CAMPAIGNS; n++) await insertCampaign(accountId, { name: `Campaign ${n}`, rows: 0 })
	const campaignId = await insertCampaign(accountId, { name: 'The large one', rows })
	await insertMessages(accountId, { campaignId, rows })
	return { ...payer, rows, campaignId }
}

async function insertCampaign(accountId: AccountId, { name, rows }: { name: string; rows: number }): Promise<number> {
	const frozen = JSON.stringify({ name: 'offer', language: 'en', category: 'MARKETING', components: [] })
	const [row] = await db<{ id: number }[]>`
		insert into campaigns (
			account_id, name, status, template, audience_type, audience_name, price_paise, total_count, claimed_through,
			merge_tags, started_at, finished_at
		)
		values (
			${accountId}, ${name}, 'completed', ${frozen}, 'all', 'All contacts', 100, ${rows}, ${rows},
			'{firstName}', now() - interval '1 day', now()
		)
		returning id
	`
	return row?.id ?? 0
}

/** Writes the rows and counters that sending would have written. */
async function insertMessages(
	accountId: AccountId,
	{ campaignId, rows }: { campaignId: number; rows: number },
): Promise<void> {
	const client = await db.acquire()
	const run = (text: string) => client.query(text)
	const step = Math.floor(rows / FAILED)
	const where = `account_id = ${accountId} and campaign_id = ${campaignId}`
	await run('set statement_timeout = 0')
	await run(`
		insert into campaign_messages
			(account_id, campaign_id, seq, number, name, status, merge_values, sent_at, status_at, error_code, error)
		select ${accountId}, ${campaignId}, seq, number, name, (case
				when seq % ${step} = 0 then 'failed' when seq % 10 < 4 then 'delivered' when seq % 97 = 5 then 'sent' else 'read'
			end)::message_status, array[name], now() - interval '1 day', now() - interval '1 day' + seq * interval '10 ms',
			case when seq % ${step} = 0 then 131049 end, case when seq % ${step} = 0 then 'Throttled' end
		from (
			select row_number() over (order by id) as seq, number, concat_ws(' ', first_name, last_name) as name
			from contacts where account_id = ${accountId}
		) c`)
	const counts = ['pending', 'sent', 'delivered', 'read', 'failed']
	const filters = counts.map((status) => `count(*) filter (where status = '${status}')`)
	await run(`
		insert into campaign_blocks (account_id, campaign_id, block, ${counts.join()})
		select ${accountId}, ${campaignId}, (seq - 1) / 1000, ${filters.join()} from campaign_messages where ${where} group by 3`)
	await run(`
		insert into campaign_minutes (account_id, campaign_id, minute, sent, delivered, read, failed)
		select ${accountId}, ${campaignId}, date_trunc('minute', status_at), count(*), ${filters.slice(2).join()}
		from campaign_messages where ${where} group by 3`)
	await run(`insert into campaign_failures values (${accountId}, ${campaignId}, 131049, 'Throttled', ${FAILED})`)
	await run(`
		insert into campaign_replies (account_id, campaign_id, seq, is_counted, replied_at)
		select ${accountId}, ${campaignId}, seq, true, now() from generate_series(1, ${SMALL_ROWS}, 100) seq`)
	await run(`
		update campaigns set (pending_count, sent_count, delivered_count, read_count, failed_count) = (
			select ${counts.map((status) => `sum(${status})`).join()} from campaign_blocks where ${where}
		) where account_id = ${accountId} and id = ${campaignId}`)
	client.release(true)
}

/** Compares the first page of three failed messages with an unfiltered one, in the larger campaign. */
async function compareFailed(): Promise<void> {
	const [, { campaignId, token }] = accounts
	const firstPage = (query: string) => () =>
		get(pool, `/api/campaigns/${campaignId}/refresh?limit=10&page=1${query}`, token)
	const [all = 0, failed = 0] = (await timeInTurn([firstPage(''), firstPage('&status=failed')], CALLS)).map(p95)
	console.log(
		`first page of ${FAILED} failed in ${formatCount(ROWS)}: ${failed.toFixed(1)} ms, unfiltered ${all.toFixed(1)} ms: ${(failed / all).toFixed(2)} (wanted: at most 2)`,
	)
}

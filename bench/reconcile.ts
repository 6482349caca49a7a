import { Client } from 'pg'
import { reconcileMoney } from '#app/server/reconciliation.ts'
import { HOURS_OF_WEEK } from '#features/campaigns/server/settlement/reconciliation-queries.ts'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { startTestPostgres } from '#test/postgres-server.ts'
import { openPayer } from './campaigns-data.ts'
import { measureBesideSending } from './reconcile/beside-sending.ts'

/**
 * The hourly reconciliation of all that was ever sent: 20 accounts with campaigns of 10,000 messages each, one of them
 * changed in the last hour. An hour is to take under 5 s, no statement more than one; and everything, which is read once a
 * week, in how many times that. Then the hours run beside a campaign at full pace, none of whose seconds is to be slower for
 * it. PostgreSQL is durable: an acknowledged commit is on disk.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 20_000_000)
const ACCOUNTS = 20
const CAMPAIGN_ROWS = 10_000
const CAMPAIGNS = Math.max(1, Math.round(ROWS / ACCOUNTS / CAMPAIGN_ROWS))
const PRICE_PAISE = 100
const HOURS = 5
const HOUR_MS = 3_600_000

const server = await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const database = await createTestDatabase()
const db = database.sql
for (let made = 0; made < ACCOUNTS; made++) await fillAccount((await openPayer(db)).ownerId)
await db`vacuum analyze`.catch(() => {})
const slowest = timeStatements()

const hours: number[] = []
for (let hour = 0; hour < HOURS; hour++) hours.push(await reconcileHour(hour))
const longest = slowest.take()
const wholeMs = await timed(() => reconcileMoney(db))
console.log(`${formatCount(ACCOUNTS * CAMPAIGNS * CAMPAIGN_ROWS)} messages in ${ACCOUNTS * CAMPAIGNS} campaigns`)
console.log(`an hour: ${hours.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')} (wanted: under 5 s)`)
console.log(`its longest statement: ${longest.toFixed(0)} ms (wanted: under 1,000 ms)`)
console.log(`everything: ${(wholeMs / 1000).toFixed(1)} s, longest statement ${slowest.take().toFixed(0)} ms`)
slowest.end()

let nextHour = HOURS
const { without, beside, runs } = await measureBesideSending(
	database.url,
	async () => void (await reconcileHour(nextHour++)),
)
const [slowestWithout, slowestBeside] = [Math.min(...without), Math.min(...beside)]
console.log(
	`beside sending: slowest of ${without.length} seconds ${slowestWithout.toFixed(0)} messages without, slowest of ` +
		`${beside.length} ${slowestBeside.toFixed(0)} with ${runs} hours reconciled (ratio ${(slowestBeside / slowestWithout).toFixed(3)}, ` +
		`wanted: 1); mean ${mean(without).toFixed(0)} and ${mean(beside).toFixed(0)}`,
)
await database.drop()
await server.stop()

/** One hour's turn, after one campaign of each account has changed; returns how long it took. */
async function reconcileHour(hour: number): Promise<number> {
	await db`
		update campaigns set updated_at = now()
		where id in (select max(id) from campaigns where status = 'completed' group by account_id)
	`
	const since = new Date(Date.now() - HOUR_MS)
	return timed(() => reconcileMoney(db, { scope: { since, turns: [(hour * 31) % HOURS_OF_WEEK] } }))
}

function mean(values: number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function timed(work: () => Promise<unknown[]>): Promise<number> {
	const startedAt = performance.now()
	const findings = await work()
	if (findings.length > 0) throw new Error(`the reconciliation found ${JSON.stringify(findings.slice(0, 3))}`)
	return performance.now() - startedAt
}

/** The longest time that a statement has taken since the last look. */
function timeStatements(): { take(): number; end(): void } {
	let longestMs = 0
	const send = Client.prototype.query as (...args: unknown[]) => unknown
	Client.prototype.query = async function timedQuery(this: unknown, ...args: unknown[]) {
		const startedAt = performance.now()
		const result = await send.apply(this, args)
		longestMs = Math.max(longestMs, performance.now() - startedAt)
		return result
	} as typeof Client.prototype.query
	return {
		take() {
			const taken = longestMs
			longestMs = 0
			return taken
		},
		end() {
			Client.prototype.query = send as typeof Client.prototype.query
		},
	}
}

/** Campaigns that were sent and read, with the money and the counters that sending would have left behind. */
async function fillAccount(owner: number): Promise<void> {
	const client = await db.acquire()
	const run = (text: string) => client.query(text)
	const cost = CAMPAIGN_ROWS * PRICE_PAISE
	const batches = CAMPAIGN_ROWS / 1000
	await run('set statement_timeout = 0')
	await run(`
		with paid as (
			insert into ledger_entries (
				account_id, kind, reference, available_change_paise, held_change_paise, available_after_paise, held_after_paise
			)
			select account_id, 'recharge', 'bench', available_paise, 0, available_paise, 0 from wallets where account_id = ${owner}
			returning *
		), line as (
			insert into statement_lines (
				account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise, available_after_paise,
				held_after_paise, last_at
			)
			select account_id, id, 0, kind, 0, current_date - 60, available_change_paise, 0, available_after_paise, 0,
				now() - interval '60 days'
			from paid
		), given as (
			update receipt_counters set last_number = last_number + 1 where series = 'recharge' returning last_number
		)
		insert into receipts (account_id, entry_id, number, payer_name, payer_email)
		select account_id, id, last_number, 'Asha', 'asha@example.com' from paid, given`)
	const { rows } = await run(`
		insert into campaigns (
			account_id, name, status, template, audience_type, price_paise, total_count, read_count, claimed_through,
			started_at, finished_at, updated_at
		)
		select ${owner}, 'Offer ' || n, 'completed', '{"name": "offer", "category": "MARKETING"}', 'all', ${PRICE_PAISE},
			${CAMPAIGN_ROWS}, ${CAMPAIGN_ROWS}, ${CAMPAIGN_ROWS}, now() - interval '40 days', now() - interval '39 days',
			now() - interval '39 days'
		from generate_series(1, ${CAMPAIGNS}) n
		returning id`)
	const ids = (rows as { id: string }[]).map(({ id }) => id).join()
	await run(`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, sent_at, status_at)
		select ${owner}, c.id, seq, '9198' || lpad(seq::text, 8, '0'), 'read', now() - interval '39 days', now() - interval '39 days'
		from unnest(array[${ids}]::bigint[]) c (id), generate_series(1, ${CAMPAIGN_ROWS}) seq`)
	await run(`
		insert into campaign_blocks (account_id, campaign_id, block, read)
		select ${owner}, c.id, block, 1000 from unnest(array[${ids}]::bigint[]) c (id), generate_series(0, ${batches - 1}) block`)
	// A hold for each campaign, and a capture for each thousand of its messages.
	await run(`
		insert into ledger_entries (
			account_id, kind, reference, available_change_paise, held_change_paise, available_after_paise, held_after_paise,
			campaign_id, message_count
		)
		select ${owner}, case step when 0 then 'hold' else 'capture' end, 'bench:' || c.id || ':' || step,
			case step when 0 then -${cost} else 0 end, case step when 0 then ${cost} else -${1000 * PRICE_PAISE} end,
			w.available_paise - n * ${cost}, ${cost} - step * ${1000 * PRICE_PAISE}, c.id,
			case step when 0 then ${CAMPAIGN_ROWS} else 1000 end
		from wallets w, unnest(array[${ids}]::bigint[]) with ordinality c (id, n), generate_series(0, ${batches}) step
		where w.account_id = ${owner}
		order by c.id, step`)
	await run(`
		insert into statement_lines (
			account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise, available_after_paise,
			held_after_paise, message_count, last_at
		)
		select ${owner}, min(e.id), w.statement_part + dense_rank() over (order by e.campaign_id), e.kind, e.campaign_id,
			current_date - 39, sum(available_change_paise), sum(held_change_paise), max(available_after_paise), 0,
			sum(message_count), now() - interval '39 days'
		from ledger_entries e, wallets w
		where e.account_id = ${owner} and w.account_id = ${owner} and e.campaign_id is not null
		group by w.statement_part, e.kind, e.campaign_id`)
	await run(`
		update wallets set available_paise = available_paise - ${cost * CAMPAIGNS}, statement_part = statement_part + ${CAMPAIGNS}
		where account_id = ${owner}`)
	client.release(true)
}

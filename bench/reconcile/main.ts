import { Client } from 'pg'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { HOURS_OF_WEEK } from '#features/delivery/server/settlement/reconciliation-queries.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { formatCount } from '#lib/numbers.ts'
import { connect } from '#lib/server/db.ts'
import { createTestDatabase } from '#test/database.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { openPayer } from '../scenes/campaigns-data.ts'
import { CAMPAIGN_ROWS, countSent, insertSent, recharge } from '../scenes/sent-campaigns.ts'
import { measureBesideSending } from './beside-sending.ts'

/**
 * Measures the hourly reconciliation of all sent messages: 20 accounts with campaigns of 10,000 messages each, one of
 * them changed in the last hour. An hour must take less than 5 s, and no statement more than one second. The weekly
 * reconciliation of everything is printed as a multiple of an hour's. Then the hourly reconciliation runs during a
 * campaign at full pace, and must not slow any second of it. PostgreSQL is durable: an acknowledged commit is
 * on disk.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 20_000_000)
const ACCOUNTS = 20
const CAMPAIGNS = Math.max(1, Math.round(ROWS / ACCOUNTS / CAMPAIGN_ROWS))
const DAYS_AGO = 40
const HOURS = 5

const server = await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const database = await createTestDatabase()
const db = database.sql
const filling = connect(database.url, { timeoutMs: 0 })
for (let made = 0; made < ACCOUNTS; made++) {
	const { accountId } = await openPayer(db)
	await recharge(filling, accountId)
	const ids = await insertSent(filling, accountId, { campaigns: CAMPAIGNS, daysAgo: DAYS_AGO })
	await countSent(filling, accountId, { ids, daysAgo: DAYS_AGO })
}
await filling.end()
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

/** Reconciles one hour after one campaign of each account has changed. Returns its duration in milliseconds. */
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

/** Measures statements. `take` returns the longest duration since the last call, in milliseconds. */
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

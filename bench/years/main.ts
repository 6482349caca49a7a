import { formatCount } from '#lib/numbers.ts'
import { startTestPostgres } from '#test/servers/postgres-server.ts'
import { compareScenes, type Compared } from './compare.ts'
import { measureLife } from './life.ts'
import { removeBesideSending, type Felt } from './removal.ts'
import { openScene } from './scene.ts'

/**
 * Compares two years of messages, in a partition for each month, with the first million of a new installation. Measures
 * the time of each screen and of each step of sending and status updates, alternately in both; the bytes of a message;
 * and the time for which the removal of a month stops sending. 50 million messages take some 30 GB and an hour;
 * BENCH_ROWS sets a smaller number. PostgreSQL is durable, with the settings with which the product starts it.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 50_000_000)
const SMALL_ROWS = Math.min(1_000_000, ROWS)
const MONTHS = 24
const REMOVED_MONTHS = 3
const MAX_RATIO = 1.2

const server = await startTestPostgres({ durable: true })
process.env.TEST_DATABASE_URL = server.url
const life = await measureLife()
console.log(
	`a message: ${life.bytes.toFixed(0)} bytes with indexes, ${(100 * life.inPage).toFixed(1)} % of its updates within their page; ` +
		`WAL ${life.createdWal.toFixed(0)} bytes when created, ${life.sentWal.toFixed(0)} until it is read`,
)

const small = await openScene({ rows: SMALL_ROWS, months: 1 })
const large = await openScene({ rows: ROWS, months: MONTHS })
const [size] = await large.database.sql<{ bytes: number }[]>`
	select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('campaign_messages')
`
console.log(`${formatCount(ROWS)} messages of ${((size?.bytes ?? 0) / ROWS).toFixed(0)} bytes in ${MONTHS} months`)
const compared = await compareScenes(small, large)
console.log(`${''.padEnd(34)}with ${formatCount(SMALL_ROWS)}, with ${formatCount(ROWS)}: median and p95 in ms`)
for (const one of compared) console.log(lineOf(one))
const slower = compared.filter((one) => one.large.median > MAX_RATIO * one.small.median)
console.log(`${slower.length} of ${compared.length} take more than ${MAX_RATIO} times as long (wanted: none)`)

const { finalizeMs, detachMs, gaveUp, quiet, finalizing, detaching } = await removeBesideSending(large, REMOVED_MONTHS)
console.log(
	`beside sending: a month is finalized in ${seconds(finalizeMs)} s, detached in ${seconds(detachMs)} s (wanted: under 1), ` +
		`after giving up ${gaveUp} times`,
)
console.log(`without: ${show(quiet)}; finalizing: ${show(finalizing)}; detaching: ${show(detaching)}`)
await small.database.drop()
await large.database.drop()
await server.stop()

function lineOf({ name, small: a, large: b }: Compared): string {
	const pair = (of: 'median' | 'p95') =>
		`${a[of].toFixed(2).padStart(8)} ${b[of].toFixed(2).padStart(8)} ${(b[of] / a[of]).toFixed(2).padStart(6)}`
	return `${name.padEnd(34)}${pair('median')}${pair('p95')}`
}

function seconds(times: readonly number[]): string {
	return times.map((ms) => (ms / 1000).toFixed(2)).join(', ')
}

function show({ claimMs, stallMs }: Felt): string {
	return `longest claim ${claimMs.toFixed(0)} ms, nothing sent for ${stallMs.toFixed(0)} ms`
}

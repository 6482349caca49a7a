import { Pool } from 'undici'
import { CHUNK_ROWS } from '#features/contacts/rules.ts'
import { listCountDrift } from '#features/contacts/server/count-queries.ts'
import { formatCount } from '#lib/numbers.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createTestDatabase } from '#test/database.ts'
import { get, timeInTurn } from './programs/in-turn.ts'
import { startServerProcess } from './programs/server-process.ts'
import { copyContacts, p95, rate } from './scenes/campaigns-data.ts'
import { openAccount, sampleContact } from './scenes/contacts-data.ts'

/**
 * Measures the upload of a million new contacts through POST /api/contacts/bulk, compared with a COPY of the same rows
 * into a table of the same columns and indexes. Then measures list, search and count calls of this account, compared
 * with the same calls of an account with 10,000 contacts.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SMALL_ACCOUNT_ROWS = 10_000
/** Number of requests that the upload screen sends concurrently. */
const CONNECTIONS = 2
const CALLS = 200

const database = await createTestDatabase()
const server = await startServerProcess(database.url)
const large = await openAccount(database.sql)
const small = await openAccount(database.sql)
const pool = new Pool(server.url, { connections: CONNECTIONS })

const copied = await copySeconds('contacts_copy', 'including all')
const bare = await copySeconds('contacts_bare', '')
const uploaded = await upload(large.token, ROWS)
const memory = server.takePeakMb()
console.log(`bare COPY, same indexes   ${rate(ROWS, copied)} rows/s`)
console.log(`bare COPY, no index       ${rate(ROWS, bare)} rows/s`)
console.log(`POST /api/contacts/bulk   ${rate(ROWS, uploaded.seconds)} rows/s, ${uploaded.saved} saved`)
console.log(
	`ratio                     ${(copied / uploaded.seconds).toFixed(2)} (wanted: at least 0.20); without any index ${(bare / uploaded.seconds).toFixed(2)}`,
)
console.log(`server memory, peak       ${memory} MB (wanted: under 400)`)

const again = await upload(large.token, ROWS)
console.log(`the same file again       ${again.saved} saved, ${rate(ROWS, again.seconds)} rows/s`)
await upload(small.token, SMALL_ACCOUNT_ROWS)
await database.sql`vacuum analyze contacts`
const drift = await listCountDrift(database.sql, large.accountId)
console.log(`cached counts             ${drift.length === 0 ? 'right' : JSON.stringify(drift)}`)
await compareReads()

await pool.close()
await server.stop()
await database.drop()

/** Returns the seconds of a COPY of the rows into a new table like `contacts`. */
async function copySeconds(table: string, like: string): Promise<number> {
	const { sql } = database
	await sql.unsafe(`create table ${table} (like contacts including identity including defaults ${like})`)
	const seconds = await copyContacts(sql, 1 as AccountId, { rows: ROWS, into: table })
	await sql.unsafe(`drop table ${table}`)
	return seconds
}

async function upload(token: string, rows: number): Promise<{ seconds: number; saved: number }> {
	let next = 0
	let saved = 0
	const sendChunks = async () => {
		while (next < rows) {
			const from = next
			next += CHUNK_ROWS
			const contacts = Array.from({ length: Math.min(CHUNK_ROWS, rows - from) }, (_, index) =>
				sampleContact(from + index),
			)
			const { statusCode, body } = await pool.request({
				method: 'POST',
				path: '/api/contacts/bulk',
				headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
				body: JSON.stringify({ contacts, group: null }),
			})
			const answer = (await body.json()) as { savedContacts: number; errors: string[] }
			if (statusCode !== 200 || answer.errors.length > 0) throw new Error(JSON.stringify(answer).slice(0, 300))
			saved += answer.savedContacts
		}
	}
	const began = performance.now()
	await Promise.all(Array.from({ length: CONNECTIONS }, sendChunks))
	return { seconds: (performance.now() - began) / 1000, saved }
}

async function compareReads(): Promise<void> {
	const searches = ['kumar', 'Asha Rao', '98765', '+91 90001', 'अमिता', 'nobody', '543210', 'zoya qureshi']
	const kinds: { name: string; path: (call: number) => string }[] = [
		{ name: 'list', path: (call) => `/api/contacts?page=${1 + (call % 20)}&limit=10` },
		{
			name: 'search',
			path: (call) => `/api/contacts?search=${encodeURIComponent(searches[call % searches.length] ?? '')}`,
		},
		{ name: 'count', path: () => '/api/contacts?limit=1' },
	]
	for (const { name, path } of kinds) {
		const [smallMs, largeMs] = await timeBoth(path)
		const ratio = (largeMs / smallMs).toFixed(2)
		console.log(
			`${name.padEnd(26)}p95 ${smallMs.toFixed(1)} ms with 10,000, ${largeMs.toFixed(1)} ms with ${formatCount(ROWS)}: ${ratio} (wanted: at most 2)`,
		)
	}
	for (const search of searches) {
		const [smallMs, largeMs] = await timeBoth(() => `/api/contacts?search=${encodeURIComponent(search)}`, 40)
		console.log(`  search ${search.padEnd(17)} p95 ${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms`)
	}
}

/** Returns the 95th percentile of each account's calls, in milliseconds. */
async function timeBoth(path: (call: number) => string, calls = CALLS): Promise<[smallMs: number, largeMs: number]> {
	const asks = [small, large].map(
		({ token }) =>
			(call: number) =>
				get(pool, path(call), token),
	)
	const [smallMs = 0, largeMs = 0] = (await timeInTurn(asks, calls)).map(p95)
	return [smallMs, largeMs]
}

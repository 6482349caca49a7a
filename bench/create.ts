import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { startServerProcess } from './programs/server-process.ts'
import { addContacts, copyLines, linesOf, openPayer, rate, type Payer } from './scenes/campaigns-data.ts'
import { sampleContact } from './scenes/contacts-data.ts'

/**
 * Measures POST /api/campaigns to a million contacts in one transaction, compared with an INSERT … SELECT of the same
 * rows into a table with the same indexes; from a CSV file of half a million rows, compared with a COPY of the
 * resulting rows; and to 100,000 contacts, which must be answered within two seconds. Each baseline runs before and
 * after.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const FILE_ROWS = Math.ceil(ROWS / 2)
const SMALL_ROWS = Math.ceil(ROWS / 10)

const database = await createTestDatabase()
const db = database.sql
const server = await startServerProcess(database.url)
const folder = await mkdtemp(join(tmpdir(), 'bench-create-'))
const [large, small, filed] = [await openPayer(db), await openPayer(db), await openPayer(db)]
await addContacts(db, large.accountId, ROWS)
await addContacts(db, small.accountId, SMALL_ROWS)
await db`vacuum analyze contacts`
const idleMb = server.takePeakMb()

const insertBefore = await bareInsert()
const created = await create(large, 'all')
const memoryMb = server.takePeakMb()
const insertAfter = await bareInsert()
const insert = (insertBefore + insertAfter) / 2
console.log(`to ${formatCount(ROWS)} contacts`)
console.log(
	`  bare INSERT … SELECT    ${rate(ROWS, insertBefore)} and ${rate(ROWS, insertAfter)} rows/s, before and after`,
)
console.log(`  POST /api/campaigns     ${rate(ROWS, created.seconds)} rows/s, ${created.seconds.toFixed(1)} s`)
console.log(`  ratio                   ${(insert / created.seconds).toFixed(2)} (wanted: at least 0.50)`)
console.log(`  server memory           ${memoryMb} MB at most, ${idleMb} MB before`)

const path = join(folder, 'people.csv')
await writeFile(path, Readable.from(csvLines()))
const copyBefore = await bareCopy()
const fromFile = await create(filed, 'file', await openAsBlob(path, { type: 'text/csv' }))
const fileMb = server.takePeakMb()
const copyAfter = await bareCopy()
const copy = (copyBefore + copyAfter) / 2
console.log(`from a CSV file of ${formatCount(FILE_ROWS)} rows`)
console.log(
	`  bare COPY               ${rate(FILE_ROWS, copyBefore)} and ${rate(FILE_ROWS, copyAfter)} rows/s, before and after`,
)
console.log(`  POST /api/campaigns     ${rate(FILE_ROWS, fromFile.seconds)} rows/s, ${fromFile.seconds.toFixed(1)} s`)
console.log(`  ratio                   ${(copy / fromFile.seconds).toFixed(2)}`)
console.log(`  server memory           ${fileMb} MB at most (wanted: under 400)`)

const answered = await create(small, 'all')
console.log(`to ${formatCount(SMALL_ROWS)} contacts`)
console.log(`  answered in             ${answered.seconds.toFixed(2)} s (wanted: under 2)`)
for (const [what, one, wanted] of [
	['contacts', created, ROWS],
	['file', fromFile, FILE_ROWS],
	['small', answered, SMALL_ROWS],
] as const)
	if (one.recipients !== wanted) throw new Error(`${what}: ${one.recipients} messages instead of ${wanted}`)

await server.stop()
await database.drop()
await rm(folder, { recursive: true })

/** Returns the seconds of an INSERT of the rows that a campaign to all contacts writes. */
async function bareInsert(): Promise<number> {
	await db.unsafe('create table bare_messages (like campaign_messages including all) with (fillfactor = 45)')
	const client = await db.acquire()
	const startedAt = performance.now()
	await client.query('set statement_timeout = 0')
	await client.query(
		`insert into bare_messages (account_id, campaign_id, seq, number, name, merge_values)
		select account_id, 1, row_number() over (order by id), number, concat_ws(' ', first_name, last_name), array[first_name]
		from contacts where account_id = $1`,
		[large.accountId],
	)
	const seconds = (performance.now() - startedAt) / 1000
	client.release(true)
	await db.unsafe('drop table bare_messages')
	return seconds
}

async function bareCopy(): Promise<number> {
	await db.unsafe('create table bare_messages (like campaign_messages including all) with (fillfactor = 45)')
	const columns = 'bare_messages (account_id, campaign_id, seq, number, name, merge_values)'
	const seconds = await copyLines(db, columns, linesOf(FILE_ROWS, copyLine))
	await db.unsafe('drop table bare_messages')
	return seconds
}

function copyLine(index: number): string {
	const { firstName, lastName, number } = sampleContact(index)
	return `1\t1\t${index + 1}\t${number}\t${firstName} ${lastName}\t{"${firstName}","${cityOf(index)}"}\n`
}

function* csvLines(): Generator<string> {
	yield 'First name,Last name,Mobile number,City\n'
	yield* linesOf(FILE_ROWS, (index) => {
		const { firstName, lastName, number } = sampleContact(index)
		return `${firstName},${lastName},+${number.slice(0, 2)} ${number.slice(2)},${cityOf(index)}\n`
	})
}

function cityOf(index: number): string {
	return ['Pune', 'Delhi', 'Navi Mumbai', 'Surat', 'Kochi'][index % 5] ?? ''
}

async function create(
	payer: Payer,
	audienceType: 'all' | 'file',
	file?: Blob,
): Promise<{ seconds: number; recipients: number }> {
	const form = new FormData()
	const value = audienceType === 'file' ? '{{firstName}} in {{City}}' : '{{firstName}}'
	const fields = {
		name: 'Bench',
		templateId: payer.templateId,
		variables: JSON.stringify({ var1: value }),
		audienceType,
	}
	// The campaign is scheduled, so that it works without a worker.
	const schedule = { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' }
	for (const [name, text] of Object.entries({ ...fields, ...schedule })) form.set(name, text)
	if (file) form.set('file', file, 'people.csv')
	const startedAt = performance.now()
	const response = await fetch(`${server.url}/api/campaigns`, {
		method: 'POST',
		headers: { authorization: `Bearer ${payer.token}` },
		body: form,
	})
	const text = await response.text()
	const seconds = (performance.now() - startedAt) / 1000
	if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 300)}`)
	const { campaign } = JSON.parse(text) as { campaign: { totalCount: number } }
	return { seconds, recipients: campaign.totalCount }
}

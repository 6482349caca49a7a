import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { formatCount } from '#lib/numbers.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { searchText } from '#lib/server/db/search/search-text.ts'
import { template } from '#test/factories.ts'
import { openAccount, sampleContact } from './contacts-data.ts'

export interface Payer {
	token: string
	accountId: AccountId
	/** Id of an approved template with one variable. */
	templateId: string
}

const BALANCE_PAISE = 1_000_000_000_000
const BATCH_ROWS = 2000

/** Creates an account with a template and more money than any campaign costs. */
export async function openPayer(db: Db): Promise<Payer> {
	const made = await openAccount(db)
	const accountId = made.accountId
	await db`insert into prices (account_id, marketing_paise, utility_paise) values (${accountId}, 100, 30)`
	await db`insert into wallets (account_id, available_paise) values (${accountId}, ${BALANCE_PAISE})`
	const { templateId } = await template(db, accountId)
	return { ...made, templateId }
}

/** Yields rows as lines of text, in chunks of many lines. */
export function* linesOf(rows: number, line: (index: number) => string): Generator<string> {
	for (let from = 0; from < rows; from += BATCH_ROWS) {
		const count = Math.min(BATCH_ROWS, rows - from)
		yield Array.from({ length: count }, (_, index) => line(from + index)).join('')
	}
}

/** Runs COPY with these lines. Returns its duration in seconds. */
export async function copyLines(db: Db, into: string, lines: Iterable<string>): Promise<number> {
	const client = await db.acquire()
	await client.query('set statement_timeout = 0')
	const startedAt = performance.now()
	const stream = client.query(copyFrom(`copy ${into} from stdin`))
	await pipeline(Readable.from(lines, { objectMode: false }), stream)
	client.release(true)
	return (performance.now() - startedAt) / 1000
}

/** Copies this many contacts of an account into a table like `contacts`. Returns the duration in seconds. */
export function copyContacts(
	db: Db,
	accountId: AccountId,
	{ rows, into }: { rows: number; into: string },
): Promise<number> {
	const line = (index: number) => {
		const { firstName, lastName, number } = sampleContact(index)
		return `${accountId}\t${firstName}\t${lastName}\t${number}\t${searchText(firstName, lastName, number).replace('\n', '\\n')}\n`
	}
	return copyLines(db, `${into} (account_id, first_name, last_name, number, search_text)`, linesOf(rows, line))
}

/** Adds this many contacts to an account. */
export async function addContacts(db: Db, accountId: AccountId, rows: number): Promise<void> {
	await copyContacts(db, accountId, { rows, into: 'contacts' })
	await db`insert into contact_counts (account_id, group_id, contacts) values (${accountId}, 0, ${rows})`
}

/** Returns the number of rows a second, formatted. */
export function rate(rows: number, seconds: number): string {
	return formatCount(Math.round(rows / seconds))
}

/**
 * Returns the percentile of the values; with a share of 1, the largest. Returns NaN, which reaches no goal, if there are none.
 */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b)
	return sorted[Math.min(Math.floor(values.length * share), values.length - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
export const p95 = (values: readonly number[]) => percentile(values, 0.95)

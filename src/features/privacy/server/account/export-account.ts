import { Readable } from 'node:stream'
import { formatDateTime } from '#lib/dates.ts'
import { CSV_START, numberCell, safeCsvLine, type CsvCell } from '#lib/files/csv.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { zipOf, type ZipEntry } from '#lib/server/files/zip.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import type { PersonalData, Row } from '../parts.ts'
import { listRows, type AccountList } from './account-queries.ts'
import { CONTROL_GROUP, LISTS, REPORTED, type ExportedFile } from './exported-lists.ts'
import { PROFILE } from './exported-profile.ts'

interface ExportContext {
	db: Db
	storage: Storage
	personalData: Pick<PersonalData, 'exports'>
}

/** Returns all data of an account as a zip stream, which is created while it is read. */
export function exportAccount(context: ExportContext, accountId: AccountId): Readable {
	return zipOf(entriesOf(context, accountId))
}

async function* entriesOf(context: ExportContext, accountId: AccountId): AsyncGenerator<ZipEntry> {
	const { db, storage, personalData } = context
	const { contacts, statement, chatMessages, campaignMessages } = personalData.exports
	yield { path: 'README.txt', content: textOf([readme()]) }
	yield { path: 'profile.json', content: textOf(profile(db, accountId)) }
	yield { path: CONTACTS.path, content: contacts(db, accountId) }
	yield { path: STATEMENT.path, content: statement(db, accountId) }
	for (const list of LISTS) {
		const batches = batchesOf((after, limit) => listRows(db, accountId, { ...list, after, limit }))
		const isJson = list.path.endsWith('.json')
		yield { path: list.path, content: textOf(isJson ? jsonOf(batches) : csvOf(Object.keys(list.columns), batches)) }
	}
	const messages = batchesOf(async (after, limit) => {
		const rows = await chatMessages.list(db, accountId, { after: Number(after ?? 0), limit })
		return rows.map((row) => ({ ...row, file: row.file && fileOf(row.file, accountId) }))
	})
	yield { path: CHAT_MESSAGES.path, content: textOf(csvOf(chatMessages.columns, messages)) }
	for await (const campaigns of batchesOf((after, limit) => listRows(db, accountId, { ...REPORTED, after, limit }))) {
		for (const { key, hasControlGroup } of campaigns) {
			yield { path: `campaigns/${String(key)}.csv`, content: campaignMessages(db, accountId, String(key)) }
			if (hasControlGroup !== true) continue
			const kept = { ...CONTROL_GROUP, where: `campaign_id = ${Number(key)}` }
			const numbers = batchesOf((after, limit) => listRows(db, accountId, { ...kept, after, limit }))
			yield { path: `campaigns/${String(key)}-held-out.csv`, content: textOf(csvOf(['number'], numbers)) }
		}
	}
	yield* filesOf(storage, accountId)
}

const textOf = (pieces: Iterable<string> | AsyncIterable<string>) => Readable.from(pieces, { objectMode: false })

async function* filesOf(storage: Storage, accountId: AccountId): AsyncGenerator<ZipEntry> {
	for await (const { key, bytes } of storage.list(String(accountId))) {
		const content = bytes === 0 ? textOf(['']) : Readable.from(storage.read(key, { start: 0, end: bytes - 1 }))
		yield { path: fileOf(key, accountId), content, isStored: true }
	}
}

/** Returns the path in the zip of a stored file of the account. */
function fileOf(key: string, accountId: AccountId): string {
	return key.replace(`${accountId}/`, 'files/')
}

/** Yields rows in batches; `next` returns the rows after a key. */
const batchesOf = (next: (after: unknown, limit: number) => Promise<Row[]>) =>
	inBatches<Row>((last, limit) => next(last?.key, limit))

async function* csvOf(columns: readonly string[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
	yield CSV_START + safeCsvLine(columns)
	for await (const rows of batches)
		yield rows.map((row) => safeCsvLine(columns.map((column) => cellOf(column, row[column])))).join('')
}

function cellOf(column: string, value: unknown): CsvCell {
	if (column === 'number' && typeof value === 'string') return numberCell(value)
	if (value instanceof Date) return formatDateTime(value.toISOString())
	if (typeof value === 'boolean') return value ? 'yes' : 'no'
	return typeof value === 'number' || typeof value === 'string' ? value : value === null ? null : JSON.stringify(value)
}

async function* jsonOf(batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
	yield '['
	let separator = ''
	for await (const rows of batches) {
		for (const { key: _, ...row } of rows) {
			yield `${separator}\n\t${JSON.stringify(row)}`
			separator = ','
		}
	}
	yield '\n]\n'
}

async function* profile(db: Db, accountId: AccountId): AsyncGenerator<string> {
	const parts: [string, Row | null][] = []
	for (const [name, part] of Object.entries<AccountList>(PROFILE)) {
		const [row] = await listRows(db, accountId, { ...part, after: undefined, limit: 1 })
		const { key: _, ...columns } = row ?? {}
		parts.push([name, row ? columns : null])
	}
	yield `${JSON.stringify(Object.fromEntries(parts), null, '\t')}\n`
}

const CONTACTS: ExportedFile = {
	path: 'contacts.csv',
	what: 'contacts, with their groups, opt-outs, consents, tags and custom fields',
}
const STATEMENT: ExportedFile = { path: 'statement.csv', what: 'what the money of the wallet went for' }
const CHAT_MESSAGES: ExportedFile = {
	path: 'chat-messages.csv',
	what: 'messages of chats; their photos and files are under files/',
}

function readme(): string {
	const files: ExportedFile[] = [
		{ path: 'profile.json', what: 'the account, its prices and settings; amounts in paise' },
		CONTACTS,
		STATEMENT,
		...LISTS,
		CHAT_MESSAGES,
		{ path: 'campaigns/', what: 'one file for each campaign whose recipients are still kept, named by its id' },
		{ path: 'files/', what: 'photos and files of chats, saved replies and templates' },
	]
	return [
		'All data of the account, as of the time of the download. Passwords and keys are not in it.',
		'Files ending in .csv open in a spreadsheet, those ending in .json in a text editor. Times are Indian.',
		'',
		...files.map(({ path, what }) => `${path}: ${what}`),
		'',
	].join('\n')
}

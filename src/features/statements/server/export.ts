import { Readable } from 'node:stream'
import { formatStamp } from '#lib/dates.ts'
import { CSV_START, safeCsvLine, type CsvCell } from '#lib/files/csv.ts'
import { decimal } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { kindNames, notesOf } from '../rules.ts'
import { listLines, type Line, type StatementFilter } from './queries.ts'

const HEADER = [
	'Date and time',
	'Kind',
	'Campaign',
	'Messages',
	'Available change (INR)',
	'On hold change (INR)',
	'Available after (INR)',
	'On hold after (INR)',
	'Notes',
	'Recorded by',
]

/** Streams a statement as CSV, newest line first. Each batch ends at the end of a statement part. */
export function exportStatement(sql: Sql, accountId: AccountId, filter: StatementFilter): Readable {
	return Readable.from(pieces(sql, accountId, filter), { objectMode: false })
}

async function* pieces(sql: Sql, accountId: AccountId, filter: StatementFilter): AsyncGenerator<string> {
	yield CSV_START + safeCsvLine(HEADER)
	const next = (last: Line | undefined, limit: number) =>
		listLines(sql, accountId, { filter, before: last?.id ?? null, limit, isByParts: true })
	for await (const lines of inBatches(next)) yield lines.map((line) => safeCsvLine(cellsOf(line))).join('')
}

function cellsOf(line: Line): CsvCell[] {
	return [
		formatStamp(line.at.toISOString()),
		kindNames[line.kind],
		line.campaignName,
		line.messageCount,
		{ verbatim: decimal(line.availableChangePaise) },
		{ verbatim: decimal(line.heldChangePaise) },
		{ verbatim: decimal(line.availablePaise) },
		{ verbatim: decimal(line.heldPaise) },
		notesOf(line),
		line.adminName,
	]
}

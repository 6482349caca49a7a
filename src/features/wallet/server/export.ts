import { Readable } from 'node:stream'
import { formatStamp } from '#lib/dates.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { kindNames } from '../rules.ts'
import { listLines, type Line, type StatementFilter } from './statement-queries.ts'

/** Lines read at a time, so that a statement of any length passes through little memory. */
const BATCH_SIZE = 1000

const headings = [
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

/** A statement as CSV, newest line first, made while it is being sent. */
export function exportStatement(sql: Sql, owner: OwnerId, filter: StatementFilter): Readable {
	return Readable.from(pieces(sql, owner, filter), { objectMode: false })
}

async function* pieces(sql: Sql, owner: OwnerId, filter: StatementFilter): AsyncGenerator<string> {
	// Excel takes a file without this mark for one in some older character set.
	yield `\uFEFF${rowOf(headings)}`
	for (let before: number | null = null; ;) {
		const lines: Line[] = await listLines(sql, owner, { filter, before, limit: BATCH_SIZE })
		const last = lines.at(-1)
		if (last) yield lines.map((line) => rowOf(cellsOf(line))).join('')
		if (!last || lines.length < BATCH_SIZE) return
		before = last.id
	}
}

function cellsOf(line: Line): string[] {
	return [
		formatStamp(line.at.toISOString()),
		kindNames[line.kind],
		text(line.campaignName ?? ''),
		line.messageCount === null ? '' : String(line.messageCount),
		decimal(line.availableChangePaise),
		decimal(line.heldChangePaise),
		decimal(line.availablePaise),
		decimal(line.heldPaise),
		text(line.notes ?? ''),
		text(line.adminName ?? ''),
	]
}

/** -1250 is -12.50, without a detour through float arithmetic. */
function decimal(paise: number): string {
	const digits = String(Math.abs(paise)).padStart(3, '0')
	return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** What people typed, kept from being taken for a formula: a spreadsheet would run =HYPERLINK(…) of somebody's note. */
function text(typed: string): string {
	return /^[\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(typed) ? `'${typed}` : typed
}

function rowOf(cells: string[]): string {
	return `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

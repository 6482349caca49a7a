import { Readable } from 'node:stream'
import type { MessageStatus } from '#features/messages/rules.ts'
import { failureWords } from '#features/messages/server/failure-words.ts'
import { CSV_START, safeCsvLine, type CsvCell } from '#lib/csv.ts'
import { formatDateTime } from '#lib/dates.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { createRest } from '#lib/server/rest.ts'
import { listAfter, type ExportedMessage } from './message-queries.ts'
import { findReplied, getMergeTags } from './recipient-queries.ts'

/** Messages read at a time: a file of any length passes through little memory, and delays no other request. */
const BATCH_SIZE = 250

/** Tags that the first two columns say already. */
const STANDARD_TAGS = new Set(['number', 'name'])

/**
 * Every recipient of a campaign with the outcome, as CSV, made while it is being sent. Its first columns, and those of the
 * merge tags at its end, can be uploaded again as an audience with the same values.
 */
export function exportMessages(
	sql: Sql,
	owner: OwnerId,
	wanted: { campaignId: string; status: MessageStatus | undefined },
): Readable {
	return Readable.from(pieces(sql, owner, wanted), { objectMode: false })
}

async function* pieces(
	sql: Sql,
	owner: OwnerId,
	wanted: { campaignId: string; status: MessageStatus | undefined },
): AsyncGenerator<string> {
	const tags = await getMergeTags(sql, owner, wanted.campaignId)
	const kept = [...tags.entries()].filter(([, tag]) => !STANDARD_TAGS.has(tag))
	const header = ['number', 'name', 'status', 'reason', 'code', 'sentAt', 'updatedAt', 'replied']
	yield CSV_START + safeCsvLine([...header, ...kept.map(([, tag]) => tag)])
	const rest = createRest()
	for (let after = 0; ;) {
		const rows = await listAfter(sql, owner, { ...wanted, after, limit: BATCH_SIZE })
		const last = rows.at(-1)
		if (!last) return
		const { campaignId } = wanted
		const replied = new Set(await findReplied(sql, owner, { campaignId, after, through: last.seq }))
		yield rows
			.map((row) =>
				safeCsvLine([...cellsOf(row, replied.has(row.seq)), ...kept.map(([at]) => row.mergeValues?.[at] ?? null)]),
			)
			.join('')
		if (rows.length < BATCH_SIZE) return
		await rest()
		after = last.seq
	}
}

function cellsOf(row: ExportedMessage, hasReplied: boolean): CsvCell[] {
	const reason = row.errorCode === null ? null : failureWords(row.errorCode).title
	const outcome = row.held ? 'held' : row.status
	return [
		row.number,
		row.name,
		outcome,
		reason,
		row.errorCode,
		timeOf(row.sentAt),
		timeOf(row.statusAt),
		hasReplied ? 'yes' : 'no',
	]
}

function timeOf(at: Date | null): string | null {
	return at ? formatDateTime(at.toISOString()) : null
}

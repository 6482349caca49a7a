import { Readable } from 'node:stream'
import type { RecipientFilter } from '#features/campaigns/contract.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { withClicks } from '#features/links/server/click-queries.ts'
import type { Clicked } from '#features/links/server/click-queries.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import { formatDateTime } from '#lib/dates.ts'
import { CSV_START, numberCell, safeCsvLine, type CsvCell } from '#lib/files/csv.ts'
import { decimal } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { findHomePrice, listAfter, type ExportedMessage } from './message-queries.ts'
import { findReplied, getMergeTags } from './recipient-queries.ts'

const HEADINGS = [
	'Phone Number',
	'Name',
	'Message Status',
	'Reason',
	'Error Code',
	'Sent At',
	'Updated At',
	'Replied',
	'First Click',
	'Clicks',
]

interface Wanted {
	campaignId: string
	status: RecipientFilter | undefined
}

/**
 * Returns the recipients of a campaign, those of `status` if given, with their outcomes as CSV. The CSV is produced in
 * batches while the browser downloads it. The first columns, and the columns of the merge tags at the end, can be uploaded
 * again as an audience with the same values.
 */
export function exportMessages(sql: Sql, accountId: AccountId, wanted: Wanted): Readable {
	return Readable.from(pieces(sql, accountId, wanted), { objectMode: false })
}

async function* pieces(sql: Sql, accountId: AccountId, wanted: Wanted): AsyncGenerator<string> {
	const tags = await getMergeTags(sql, accountId, wanted.campaignId)
	// Omits the tag `number`, because the first column has it, and header files.
	const kept = [...tags.entries()].filter(([, tag]) => tag !== 'number' && tag !== FILE_TAG)
	const { campaignId } = wanted
	// Only a campaign with several prices has a column of prices.
	const homePaise = await findHomePrice(sql, accountId, campaignId)
	yield CSV_START + safeCsvLine([...HEADINGS, ...(homePaise === null ? [] : ['Price']), ...kept.map(([, tag]) => tag)])
	const next = (last: ExportedMessage | undefined, limit: number) =>
		listAfter(sql, accountId, { ...wanted, after: last?.seq ?? 0, limit })
	for await (const rows of inBatches(next)) {
		const [from = 0, through = 0] = [rows[0]?.seq, rows.at(-1)?.seq]
		const replied = new Set(await findReplied(sql, accountId, { campaignId, from, through }))
		const clicked = await withClicks(sql, accountId, { campaignId, messages: rows })
		yield clicked
			.map((row) =>
				safeCsvLine([
					...cellsOf(row, replied.has(row.seq)),
					...priceCells(row, homePaise),
					...kept.map(([at]) => row.mergeValues?.[at] ?? null),
				]),
			)
			.join('')
	}
}

/** Returns the cell with the price of a message in rupees; none for a campaign in which all messages cost the same. */
function priceCells({ pricePaise }: ExportedMessage, homePaise: number | null): CsvCell[] {
	return homePaise === null ? [] : [decimal(pricePaise ?? homePaise)]
}

function cellsOf(row: ExportedMessage & Clicked, hasReplied: boolean): CsvCell[] {
	const reason = row.errorCode === null ? null : failureWords(row.errorCode).title
	const outcome = row.isInQualityCheck ? 'quality check' : row.status
	return [
		numberCell(row.number),
		row.name,
		outcome,
		reason,
		row.errorCode,
		timeOf(row.sentAt),
		timeOf(row.statusAt),
		hasReplied ? 'yes' : 'no',
		timeOf(row.clickedAt),
		row.clicks,
	]
}

function timeOf(at: Date | null): string | null {
	return at ? formatDateTime(at.toISOString()) : null
}

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CHAT_TEMPLATES, REPLIES, kindNames } from '#features/statements/rules.ts'
import { formatDateTime, formatDay, monthName, addMonths } from '#lib/dates.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { forgetShapes } from '#lib/server/pdf/font-shaping.ts'
import {
	BRAND,
	businessLines,
	INK,
	openPdf,
	PAGE_WIDTH,
	QUIET,
	tag,
	writeIssuer,
} from '#lib/server/pdf/pdf-document.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import { writeText, type TextStyle } from '#lib/server/pdf/pdf-text.ts'
import { totalOf, type MonthStatement, type StatementRow } from './month-statement.ts'
import { numberPages, openTable, type PdfColumn, type PdfRow, type PdfTable } from './pdf-table.ts'

/** Page margin in points. */
const MARGIN = 40
const WIDTH = PAGE_WIDTH - 2 * MARGIN
const BOTTOM = 800

/** Longest drawing time in milliseconds before the event loop serves other requests. */
const MAX_DRAWING_MS = 15

/** Number of pages after which the font caches are cleared. */
const PAGES_CACHED = 20

/**
 * Number of lines above which table rows are tagged as lines of text, since tags per cell would make the file too
 * large.
 */
const MAX_TAGGED_LINES = 5000

const HINT =
	'Balance is all the money in the wallet, and On hold the part of it that is set aside for messages not sent yet and replies not charged yet. ' +
	'Setting money aside and releasing it leave the balance as it is; charges and refunds change it.'

const LINE_COLUMNS: PdfColumn[] = [
	{ header: 'Date', width: 58 },
	{ header: 'What', width: 62 },
	{ header: 'Campaign or note', width: 116.28 },
	{ header: 'Messages', width: 46, isFigure: true },
	{ header: 'In (₹)', width: 58, isFigure: true },
	{ header: 'Out (₹)', width: 58, isFigure: true },
	{ header: 'Balance (₹)', width: 61, isFigure: true },
	{ header: 'On hold (₹)', width: 56, isFigure: true },
]

const SUMMARY_COLUMNS: PdfColumn[] = [
	{ header: 'Summary', width: 215.28 },
	{ header: 'Messages', width: 60, isFigure: true },
	{ header: 'In (₹)', width: 80, isFigure: true },
	{ header: 'Out (₹)', width: 80, isFigure: true },
	{ header: 'Balance (₹)', width: 80, isFigure: true },
]

const CATEGORY_COLUMNS: PdfColumn[] = [
	{ header: 'Spent on', width: 135.28 },
	{ header: 'Messages charged', width: 80, isFigure: true },
	{ header: 'Charged (₹)', width: 80, isFigure: true },
	{ header: 'Messages refunded', width: 80, isFigure: true },
	{ header: 'Refunded (₹)', width: 70, isFigure: true },
	{ header: 'Spent (₹)', width: 70, isFigure: true },
]

/** Writes a month's statement as PDF at the pace of `sink`; resolves when all bytes are handed over. */
export async function writeStatement(statement: MonthStatement, issuer: Issuer, sink: Writable): Promise<void> {
	const title = `Statement for ${monthName(statement.month)}`
	const doc = openPdf({ title, author: issuer.name, madeAt: statement.readAt, margin: MARGIN })
	doc.on('data', (piece: Buffer) => sink.write(piece))
	const ended = once(doc, 'end')
	const pages = numberPages(doc, `${title}, ${statement.account.name}`)
	pages.next()
	const onNewPage = () => {
		doc.addPage()
		if (pages.next() % PAGES_CACHED === 0) forgetShapes(doc)
		return MARGIN
	}
	const sheet: Sheet = { doc, onNewPage }
	const top = writeSummary(sheet, statement, { title, issuer })
	const isLong = linesIn(statement) > MAX_TAGGED_LINES
	const table = openTable(doc, { columns: LINE_COLUMNS, top, bottom: BOTTOM, isLong, onNewPage })
	table.row(balanceRow('Opening balance', dayOf(`${statement.month}-01`), statement.opening))
	let begin = performance.now()
	for await (const rows of statement.rows()) {
		for (const row of rows) {
			table.row({ cells: cellsOf(row) })
			if (performance.now() - begin < MAX_DRAWING_MS) continue
			await setImmediate()
			begin = performance.now()
		}
		// Rejects when the sink fails.
		if (sink.writableNeedDrain) await once(sink, 'drain')
	}
	endTable(sheet, table, statement)
	pages.end()
	doc.end()
	await ended
	sink.end()
}

const linesIn = ({ kinds }: MonthStatement) => Object.values(kinds).reduce((sum, { lines }) => sum + lines, 0)

interface Sheet {
	doc: PDFKit.PDFDocument
	/** Begins a page and returns the y of its content. */
	onNewPage(): number
}

function endTable({ doc, onNewPage }: Sheet, table: PdfTable, statement: MonthStatement): void {
	table.row(balanceRow('Closing balance', lastDayOf(statement), statement.closing))
	const end = table.end() + 8
	const y = end + NOTE_HEIGHT > BOTTOM ? onNewPage() : end
	const text = `Made on ${formatDateTime(statement.readAt.toISOString())} (IST). This is a computer-generated statement and needs no signature. It is not a tax invoice.`
	tag(doc, 'P', () => void writeText({ doc, x: MARGIN, y, width: WIDTH }, text, SMALL))
}

/** Height of two lines of notes, in points. */
const NOTE_HEIGHT = 26
const SMALL: TextStyle = { size: 8, color: QUIET }

interface Headings {
	title: string
	issuer: Issuer
}

/** Writes the summary above the lines and returns the y below it. */
function writeSummary({ doc, onNewPage }: Sheet, statement: MonthStatement, { title, issuer }: Headings): number {
	let y = writeIssuer(doc, issuer, 36) + 14
	const write = (name: string, text: string, style: TextStyle) =>
		tag(doc, name, () => (y = writeText({ doc, x: MARGIN, y, width: WIDTH }, text, style)))
	const { account } = statement
	write('H2', title, { size: 16, bold: true, color: BRAND })
	write('P', `${dayOf(`${statement.month}-01`)} to ${lastDayOf(statement)}`, { size: 10, color: QUIET })
	y += 8
	write('P', account.name, { size: 11, bold: true, color: INK })
	const { businessName: name, businessAddress: address, gstin } = account
	const details = [account.email, ...businessLines({ name, address, gstin }), `Account ${account.userId}`]
	for (const line of details) write('P', line, { size: 9, color: QUIET })
	y += 10
	const part = (columns: PdfColumn[], rows: PdfRow[]) => {
		const table = openTable(doc, { columns, top: y, bottom: BOTTOM, onNewPage })
		for (const row of rows) table.row(row)
		y = table.end() + 12
	}
	part(SUMMARY_COLUMNS, summaryRows(statement))
	if (statement.categories.length > 0) part(CATEGORY_COLUMNS, categoryRows(statement))
	write('P', HINT, SMALL)
	return y + 8
}

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))
/** Formats an amount without ₹, for columns whose header names the currency. */
const figure = (paise: number) => rupees(paise).replace('₹', '')
const orDash = (paise: number) => (paise === 0 ? '-' : figure(paise))
const count = (messages: number) => (messages === 0 ? '-' : formatCount(messages))

function summaryRows({ opening, closing, kinds }: MonthStatement): PdfRow[] {
	const { recharge, hold, capture, release, refund, reversal } = kinds
	return [
		{ cells: ['Opening balance', '', '', '', figure(totalOf(opening))], bold: true },
		{ cells: ['Recharges', '-', orDash(totalOf(recharge)), '-', ''] },
		...(reversal.lines > 0 ? [{ cells: ['Recharges reversed', '-', '-', orDash(-totalOf(reversal)), ''] }] : []),
		{ cells: ['Charges for messages', count(capture.messages), '-', orDash(-totalOf(capture)), ''] },
		{ cells: ['Refunds of messages', count(refund.messages), orDash(totalOf(refund)), '-', ''] },
		{ cells: ['Closing balance', '', '', '', figure(totalOf(closing))], bold: true },
		{ cells: ['of which available', '', '', '', figure(closing.availablePaise)] },
		{ cells: ['of which on hold', '', '', '', figure(closing.heldPaise)] },
		{ cells: [`Set aside in this month: ${rupees(hold.heldPaise)}`, count(hold.messages), '', '', ''] },
		{ cells: [`Released in this month: ${rupees(release.availablePaise)}`, count(release.messages), '', '', ''] },
	]
}

const CATEGORY_NAMES: Record<string, string> = {
	MARKETING: 'Marketing',
	UTILITY: 'Utility',
	AUTHENTICATION: 'Authentication',
	SERVICE: 'Replies',
}

function categoryRows({ categories }: MonthStatement): PdfRow[] {
	const row = (name: string, of: typeof categories, bold = false): PdfRow => {
		const sum = (pick: (category: (typeof of)[number]) => number) => of.reduce((total, one) => total + pick(one), 0)
		const [charged, refunded] = [sum((one) => one.chargedPaise), sum((one) => one.refundedPaise)]
		return {
			bold,
			cells: [
				name,
				count(sum((one) => one.chargedMessages)),
				orDash(charged),
				count(sum((one) => one.refundedMessages)),
				orDash(refunded),
				figure(charged - refunded),
			],
		}
	}
	const rows = categories.map((one) => row(CATEGORY_NAMES[one.category ?? ''] ?? 'Other', [one]))
	return [...rows, row('All categories', categories, true)]
}

function balanceRow(name: string, day: string, balance: MonthStatement['opening']): PdfRow {
	return { cells: [day, name, '', '', '', '', figure(totalOf(balance)), orDash(balance.heldPaise)], bold: true }
}

/** Returns a line's cell texts in the order of LINE_COLUMNS. */
function cellsOf(row: StatementRow): string[] {
	const { kind, at, messageCount, inPaise, outPaise, setAsidePaise, balancePaise, heldPaise } = row
	const moved = setAsidePaise === 0 ? '' : ` ${rupees(Math.abs(setAsidePaise))}`
	return [
		formatDay(at.toISOString()),
		kindNames[kind] + moved,
		aboutOf(row),
		messageCount === null ? '' : count(messageCount),
		inPaise === 0 ? '' : figure(inPaise),
		outPaise === 0 ? '' : figure(outPaise),
		figure(balancePaise),
		orDash(heldPaise),
	]
}

function aboutOf({ kind, campaignName, isReply, notes, adminName }: StatementRow): string {
	if (kind !== 'recharge' && kind !== 'reversal') return campaignName ?? (isReply ? REPLIES : CHAT_TEMPLATES)
	// Joins multi-line notes into one line.
	const note = (notes || 'No notes').replaceAll(/\s+/g, ' ')
	return adminName ? `${note}\nRecorded by ${adminName}` : note
}

const dayOf = (day: string) => formatDay(`${day}T00:00:00+05:30`)

/** Returns the month's last day, or the day of reading for the current month. */
function lastDayOf({ month, readAt }: MonthStatement): string {
	const end = Date.parse(`${addMonths(month, 1)}-01T00:00:00+05:30`) - 1
	const begin = Date.parse(`${month}-01T00:00:00+05:30`)
	const day = readAt.getTime() < begin ? end : Math.min(end, readAt.getTime())
	return formatDay(new Date(day).toISOString())
}

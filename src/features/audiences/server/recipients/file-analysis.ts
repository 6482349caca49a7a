import { missingValues } from '#features/audiences/value-problems.ts'
import type { Component } from '#features/templates/contract.ts'
import { createMisfitCounter, openParts } from '#features/templates/filled.ts'
import { mergeTags, tagsWithoutFallback, type Variables } from '#features/templates/values.ts'
import { doubtIn } from '#lib/phone-plan.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { listOptedOut, type Recipient } from './audience-queries.ts'
import { createColumnCounter, type ColumnFacts } from './column-facts.ts'
import type { FrequencyCap } from './frequency-queries.ts'
import { findCapped } from './frequency.ts'
import type { AudienceFile, FileRow } from './recipient-file.ts'

/** What is in an audience file. */
export interface FileAnalysis extends ColumnFacts {
	counts: { rows: number; valid: number; invalid: number; duplicate: number; unlikely: number }
	/** Of the valid ones; none unless the campaign is marketing. */
	optedOut: number
	/** Of the others, those who have got enough marketing. */
	capped: number
	preview: { row: number; cells: string[]; number: string | null; reason: string | null; doubt: string | null }[]
	/** Values that the variables need and rows lack, and those that make a message too long, in words. */
	errors: string[]
}

const PREVIEW_ROWS = 10

/** Whom a campaign leaves out. */
interface LeavingOut {
	isMarketing: boolean
	cap: FrequencyCap | null
}

interface Given {
	file: AudienceFile
	/** Of the template; none while it is not chosen. */
	components: readonly Component[]
	/** Their merge tags are named as the file's columns. */
	variables: Variables
}

export async function analyseFile(
	db: Db,
	accountId: AccountId,
	{ file, components, variables, ...rules }: Given & LeavingOut,
): Promise<FileAnalysis> {
	const used = new Set(mergeTags(variables))
	const tags = file.tags.filter((tag) => used.has(tag))
	const filled = new Set(tags)
	const required = tagsWithoutFallback(variables).filter((tag) => filled.has(tag))
	const missing = new Map<string, number>()
	const counts = { rows: 0, valid: 0, invalid: 0, duplicate: 0, unlikely: 0 }
	const preview: FileAnalysis['preview'] = []
	const counter = createColumnCounter(file)
	const misfits = createMisfitCounter(openParts(components, variables))
	let optedOut = 0
	let capped = 0
	for await (const rows of file.rows(tags)) {
		const recipients = rows.flatMap(({ recipient }) => recipient ?? [])
		const duplicates = rows.filter(({ refusal }) => refusal?.kind === 'duplicate').length
		counts.rows += rows.length
		counts.valid += recipients.length
		counts.duplicate += duplicates
		counts.invalid += rows.length - recipients.length - duplicates
		counts.unlikely += recipients.filter(({ number }) => doubtIn(number) !== null).length
		const out = await findLeftOut(db, accountId, { ...rules, rows })
		optedOut += out.optedOut.size
		capped += out.capped.size
		for (const row of rows.slice(0, PREVIEW_ROWS - preview.length))
			preview.push({
				row: row.row,
				cells: row.cells,
				number: row.number,
				reason: reasonOf(row, out),
				doubt: row.number && doubtIn(row.number),
			})
		countMissing(missing, recipients, { required, tags })
		for (const row of rows) counter.add(row)
		for (const { number, values } of recipients)
			if (!out.optedOut.has(number) && !out.capped.has(number)) misfits.add((tag) => values[tags.indexOf(tag)] ?? null)
	}
	return {
		counts,
		optedOut,
		capped,
		preview,
		...counter.facts(),
		errors: [...Array.from(missing, ([tag, count]) => missingValues(tag, count)), ...misfits.errors()],
	}
}

/** Adds to `missing`, by tag, how many recipients lack a required value; their values are in the order of `tags`. */
function countMissing(
	missing: Map<string, number>,
	recipients: readonly Recipient[],
	{ required, tags }: { required: readonly string[]; tags: readonly string[] },
): void {
	for (const tag of required) {
		const at = tags.indexOf(tag)
		const without = recipients.filter(({ values }) => (values[at] ?? null) === null).length
		if (without > 0) missing.set(tag, (missing.get(tag) ?? 0) + without)
	}
}

/** The rows to which nothing is sent, some at a time, each with why. */
export async function* rejectedRows(
	db: Db,
	accountId: AccountId,
	{ file, ...rules }: { file: AudienceFile } & LeavingOut,
): AsyncGenerator<{ row: number; cells: string[]; reason: string }[]> {
	for await (const rows of file.rows([])) {
		const out = await findLeftOut(db, accountId, { ...rules, rows })
		yield rows.flatMap((read) => {
			const reason = reasonOf(read, out)
			return reason === null ? [] : { row: read.row, cells: read.cells, reason }
		})
	}
}

/** Why nothing is sent to a row; null when something is. */
function reasonOf({ refusal, number }: FileRow, { optedOut, capped }: LeftOut): string | null {
	if (refusal) return refusal.reason
	if (number === null) return null
	if (optedOut.has(number)) return 'Opted out of marketing messages'
	return capped.has(number) ? 'Got marketing messages recently' : null
}

type LeftOut = Record<'optedOut' | 'capped', ReadonlySet<string>>

async function findLeftOut(
	db: Db,
	accountId: AccountId,
	{ isMarketing, cap, rows }: LeavingOut & { rows: readonly FileRow[] },
): Promise<LeftOut> {
	const numbers = numbersOf(rows)
	const optedOut = new Set(isMarketing ? await listOptedOut(db, accountId, numbers) : [])
	return { optedOut, capped: await findCapped(db, accountId, { cap, numbers }) }
}

function numbersOf(rows: readonly FileRow[]): string[] {
	return rows.flatMap(({ number }) => number ?? [])
}

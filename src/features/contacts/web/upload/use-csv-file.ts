import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { HIDDEN_HEADER, readHidden, type Columns, type Hidden } from '#features/contacts/columns.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { AppError } from '#lib/app-error.ts'
import { isWorkbookName } from '#lib/files/workbook-files.ts'
import { call, messageOf, type Transport } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { Summary } from './csv/csv-messages.ts'
import { openCsvReader, type CsvReader } from './csv/csv-reader.ts'

const PARSING = 'Error parsing CSV file'

interface Chosen {
	file: File
	summary: Summary | null
	/** Hidden rows and columns of a workbook; `withHidden` is true when they are read. */
	hidden: Hidden
	withHidden: boolean
	/** Error text when the file cannot be read; otherwise null. */
	error: string | null
	/** True while the numbers are checked against the contacts. */
	isChecking: boolean
}

export interface CsvFile {
	chosen: Chosen | null
	isReading: boolean
	choose: (file: File | null, withHidden?: boolean) => void
	map: (columns: Columns) => void
	/** Replaces a row by the corrected row of the user. */
	correct: (row: number, typed: TypedPerson) => Promise<void>
	/** Includes rows with unlikely numbers, or leaves them out. */
	include: (unlikely: boolean) => void
	/** Uses the number as the name in rows without a name, or stops doing so. */
	nameByNumber: (byNumber: boolean) => void
	reader: () => CsvReader
	/** Resolves when the numbers have been checked against the contacts, or could not be. */
	checked: () => Promise<void>
}

/** Holds the chosen file, which a worker reads. The server converts an Excel file to CSV first. */
export function useCsvFile(): CsvFile {
	const [chosen, setChosen] = useState<Chosen | null>(null)
	const [isReading, setReading] = useState(false)
	const current = useRef<CsvReader | null>(null)
	const turn = useRef(0)
	const check = useRef<Promise<unknown>>(Promise.resolve())
	const hidden = useRef<Hidden>({ rows: 0, columns: 0 })
	const hiddenTaken = useRef(false)
	const shownHidden = () => ({ hidden: hidden.current, withHidden: hiddenTaken.current })
	useEffect(
		() => () => {
			current.current?.close()
			current.current = null
		},
		[],
	)
	const reader = useCallback(() => (current.current ??= openCsvReader()), [])

	const read = async (file: File, work: () => Promise<Summary>) => {
		const mine = ++turn.current
		setReading(true)
		const result: Chosen = await work().then(
			(summary) => ({ file, summary, error: null, isChecking: summary.isChecked === false, ...shownHidden() }),
			(error: unknown) => ({ file, summary: null, error: messageFor(error), isChecking: false, ...shownHidden() }),
		)
		// The user has chosen another file, or removed the file, since the reading began.
		if (mine !== turn.current) return
		// Uses a transition, so that rendering the file does not block the page.
		startTransition(() => {
			setReading(false)
			setChosen(result)
		})
		if (result.error) briefToast.error(result.error)
		if (result.summary?.isChecked !== false) return
		// When the check fails, the upload counts existing contacts instead.
		const checking = checkKnown(reader(), result.summary, () => mine === turn.current).catch(() => result.summary)
		check.current = checking
		const checked = await checking
		if (mine === turn.current) startTransition(() => setChosen({ ...result, summary: checked, isChecking: false }))
	}

	const again = (work: () => Promise<Summary>): void => void (chosen && read(chosen.file, work))

	return {
		chosen,
		isReading,
		reader,
		checked: async () => void (await check.current),
		choose(file, withHidden = false) {
			turn.current++
			setReading(false)
			hidden.current = { rows: 0, columns: 0 }
			hiddenTaken.current = withHidden
			setChosen(file && { file, summary: null, error: null, isChecking: false, ...shownHidden() })
			if (!file) return
			void read(file, async () => {
				const { csv, hidden: found } = await asCsv(file, withHidden)
				hidden.current = found
				return reader().open(csv)
			})
		},
		map: (columns) => again(() => reader().map(columns)),
		nameByNumber: (byNumber) => again(() => reader().nameByNumber(byNumber)),
		include: (unlikely) => again(() => reader().include(unlikely)),
		async correct(row, typed) {
			if (chosen) await read(chosen.file, () => reader().correct(row, typed))
		},
	}
}

/** Checks in batches which numbers are contacts, until all are checked or `isWanted` returns false. */
async function checkKnown(reader: CsvReader, summary: Summary, isWanted: () => boolean): Promise<Summary> {
	let checked = summary
	while (checked.isChecked === false && isWanted()) {
		const numbers = await reader.unasked(MAX_ROWS)
		const { known } = await call(contacts.known, { body: { numbers: numbers.map((number) => `+${number}`) } })
		checked = await reader.know(numbers, known)
	}
	return checked
}

/** Returns the file as CSV. The server converts a workbook, and the workbook's name is kept. */
async function asCsv(file: File, withHidden: boolean): Promise<{ csv: File; hidden: Hidden }> {
	let header: string | null = null
	if (!isWorkbookName(file.name)) return { csv: file, hidden: readHidden(header) }
	const transport: Transport = async (url, request) => {
		const response = await fetch(url, request)
		header = response.headers.get(HIDDEN_HEADER)
		return response
	}
	const body = { withHidden: withHidden ? ('true' as const) : ('false' as const) }
	const csv = await call(contacts.readSpreadsheet, { body, files: { file }, transport })
	return { csv: new File([csv], file.name), hidden: readHidden(header) }
}

function messageFor(error: unknown): string {
	if (!(error instanceof AppError)) return messageOf(error, PARSING)
	return error.code === 'contacts_missing' ? error.message : `${PARSING}: ${error.message}`
}

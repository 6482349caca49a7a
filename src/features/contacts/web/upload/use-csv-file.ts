import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { HIDDEN_HEADER, readHidden, type Columns, type Hidden } from '#features/contacts/columns.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { FileError } from '#lib/csv-text.ts'
import { call, messageOf, type Transport } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { isWorkbookName } from '#lib/workbook-files.ts'
import type { Summary } from './csv/csv-messages.ts'
import { openCsvReader, type CsvReader } from './csv/csv-reader.ts'

const PARSING = 'Error parsing CSV file'
const NONE = 'No valid contacts found in CSV'

interface Chosen {
	file: File
	summary: Summary | null
	/** What a workbook hides, and whether that is taken. */
	hidden: Hidden
	withHidden: boolean
	/** Why it cannot be read. */
	error: string | null
	/** It is being found out which of its people are contacts already. */
	isTelling: boolean
}

export interface CsvFile {
	chosen: Chosen | null
	isReading: boolean
	choose: (file: File | null, withHidden?: boolean) => void
	map: (columns: Columns) => void
	/** Takes a row for what somebody has typed instead. */
	correct: (row: number, typed: TypedPerson) => Promise<void>
	/** Sends rows with unlikely numbers, or leaves them out. */
	include: (unlikely: boolean) => void
	/** Gives rows without a name their number as the name, or leaves them out again. */
	nameByNumber: (byNumber: boolean) => void
	reader: () => CsvReader
}

/** The file that somebody has chosen, read in a worker; an Excel file by way of the server. */
export function useCsvFile(): CsvFile {
	const [chosen, setChosen] = useState<Chosen | null>(null)
	const [isReading, setReading] = useState(false)
	const current = useRef<CsvReader | null>(null)
	const turn = useRef(0)
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
			(summary) => ({ file, summary, error: null, isTelling: summary.isTold === false, ...shownHidden() }),
			(error: unknown) => ({ file, summary: null, error: messageFor(error), isTelling: false, ...shownHidden() }),
		)
		// Another file was chosen meanwhile, or none.
		if (mine !== turn.current) return
		// In slices: what shows a file is drawn while the page still answers.
		startTransition(() => {
			setReading(false)
			setChosen(result)
		})
		if (result.error) briefToast.error(result.error)
		if (result.summary?.isTold !== false) return
		// Where it cannot be found out, the upload tells.
		const told = await tellKnown(reader(), result.summary, () => mine === turn.current).catch(() => result.summary)
		if (mine === turn.current) startTransition(() => setChosen({ ...result, summary: told, isTelling: false }))
	}

	return {
		chosen,
		isReading,
		reader,
		choose(file, withHidden = false) {
			turn.current++
			setReading(false)
			hidden.current = { rows: 0, columns: 0 }
			hiddenTaken.current = withHidden
			setChosen(file && { file, summary: null, error: null, isTelling: false, ...shownHidden() })
			if (!file) return
			void read(file, async () => {
				const { csv, hidden: found } = await asCsv(file, withHidden)
				hidden.current = found
				return reader().open(csv)
			})
		},
		map(columns) {
			if (chosen) void read(chosen.file, () => reader().map(columns))
		},
		nameByNumber(byNumber) {
			if (chosen) void read(chosen.file, () => reader().nameByNumber(byNumber))
		},
		include(unlikely) {
			if (chosen) void read(chosen.file, () => reader().include(unlikely))
		},
		async correct(row, typed) {
			if (chosen) await read(chosen.file, () => reader().correct(row, typed))
		},
	}
}

/** Asks which of the numbers the account has, some at a time, as long as it is wanted. */
async function tellKnown(reader: CsvReader, summary: Summary, isWanted: () => boolean): Promise<Summary> {
	let told = summary
	while (told.isTold === false && isWanted()) {
		const numbers = await reader.unasked(MAX_ROWS)
		const { known } = await call(contacts.known, { body: { numbers: numbers.map((number) => `+${number}`) } })
		told = await reader.know(numbers, known)
	}
	return told
}

/** Of a workbook, the CSV that the server makes of it, under the workbook's name. */
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
	if (!(error instanceof FileError)) return messageOf(error, PARSING)
	if (error.message === NONE) return NONE
	return error.message ? `${PARSING}: ${error.message}` : PARSING
}

import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { Columns } from '#features/contacts/columns.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { FileError } from '#lib/csv-text.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { isWorkbookName } from '#lib/workbook-files.ts'
import type { Summary } from './csv/csv-messages.ts'
import { openCsvReader, type CsvReader } from './csv/csv-reader.ts'

const PARSING = 'Error parsing CSV file'
const NONE = 'No valid contacts found in CSV'

interface Chosen {
	file: File
	summary: Summary | null
	/** Why it cannot be read. */
	error: string | null
	/** It is being found out which of its people are contacts already. */
	isTelling: boolean
}

export interface CsvFile {
	chosen: Chosen | null
	isReading: boolean
	choose: (file: File | null) => void
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
			(summary) => ({ file, summary, error: null, isTelling: summary.isTold === false }),
			(error: unknown) => ({ file, summary: null, error: messageFor(error), isTelling: false }),
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
		choose(file) {
			turn.current++
			setReading(false)
			setChosen(file && { file, summary: null, error: null, isTelling: false })
			if (!file) return
			void read(file, async () => reader().open(await asCsv(file)))
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
async function asCsv(file: File): Promise<File> {
	if (!isWorkbookName(file.name)) return file
	return new File([await call(contacts.readSpreadsheet, { files: { file } })], file.name)
}

function messageFor(error: unknown): string {
	if (!(error instanceof FileError)) return messageOf(error, PARSING)
	if (error.message === NONE) return NONE
	return error.message ? `${PARSING}: ${error.message}` : PARSING
}

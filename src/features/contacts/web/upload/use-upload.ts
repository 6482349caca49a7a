import { useEffect, useRef, useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import type { Consent } from '#features/contacts/contract.ts'
import { customFields, splitTags } from '#features/contacts/custom-fields.ts'
import { formatCount } from '#lib/numbers.ts'
import { readYesNo } from '#lib/typed-values.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { ContactRow } from './csv/contacts-file.ts'
import type { CsvReader } from './csv/csv-reader.ts'
import type { RetainedColumns } from './further-columns.tsx'
import { startUpload, type Upload, type UploadRun } from './upload-run.ts'

/** Number of errors up to which each has a toast. More would cover the screen, which lists them. */
const MAX_TOASTS = 3

/** Options and reader of an upload. */
interface Given {
	reader: CsvReader
	total: number
	group: string | null
	consent: Consent | null
	/** Updates existing contacts with the names, group, tags and values of their rows. */
	update: boolean
	/** Tags for all contacts. */
	tags: string[]
	retained: RetainedColumns
}

export interface UploadControl {
	upload: Upload | null
	/** Options of the upload that was started last; null before the first one. */
	given: Given | null
	start: (given: Given) => void
	pause: () => void
	resume: () => void
	stop: () => void
	forget: () => void
}

export function useUpload(): UploadControl {
	const [upload, setUpload] = useState<Upload | null>(null)
	const [given, setGiven] = useState<Given | null>(null)
	const run = useRef<UploadRun | null>(null)
	useEffect(() => {
		const resume = () => run.current?.resume()
		window.addEventListener('online', resume)
		return () => {
			window.removeEventListener('online', resume)
			run.current?.pause()
		}
	}, [])

	return {
		upload,
		given,
		start(all) {
			setGiven(all)
			const { reader, total, retained, ...rest } = all
			const fields = retained.fields.map(({ id }) => id)
			run.current = startUpload({
				total,
				take: reader.take,
				send: (rows) =>
					call(contacts.addMany, { body: { contacts: rows.map((row) => rowOf(row, retained)), fields, ...rest } }),
				isPassing: (error) =>
					error instanceof ApiError && (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status)),
				onChange(next) {
					setUpload(next)
					if (next.phase === 'done') void conclude(next)
					if (next.phase === 'refused') briefToast.failure(next.error, 'Failed to upload contacts')
				},
			})
		},
		pause: () => run.current?.pause(),
		resume: () => run.current?.resume(),
		stop: () => run.current?.stop(),
		forget: () => setUpload(null),
	}
}

/** Returns the row for the server. `cells` has the columns in the order of `placesOf`. */
function rowOf({ firstName, lastName, number, canonical, retained: cells }: ContactRow, retained: RetainedColumns) {
	const [count, from] = [retained.tags.length, retained.tags.length + retained.optOuts.length]
	const optsOut = cells.slice(count, from).some((cell) => readYesNo(cell) === 'yes')
	const tags = cells.slice(0, count).flatMap(splitTags)
	return {
		firstName,
		lastName,
		// The canonical number that was shown and checked on screen.
		number: canonical === null ? number : `+${canonical}`,
		...(count > 0 && { tags }),
		...(optsOut && { optedOut: true }),
		...(retained.fields.length > 0 && { values: cells.slice(from) }),
	}
}

/** Returns the indexes of the retained columns, in the order tags, opt-outs, fields. */
export function placesOf({ tags, optOuts, fields }: RetainedColumns): number[] {
	return [...tags, ...optOuts, ...fields.map(({ at }) => at)]
}

async function conclude({ errors, saved }: Upload): Promise<void> {
	if (errors.length <= MAX_TOASTS) for (const error of errors) briefToast.error(error)
	else briefToast.error(`${formatCount(errors.length)} rows have errors. They are listed on this page.`)
	if (saved > 0) briefToast.success(`${formatCount(saved)} contacts uploaded successfully`)
	await invalidate(contacts.list, contacts.latest, contacts.groups, customFields.list)
}

/** Returns the text for an interrupted upload. */
export function reasonOf({ phase, error }: Upload): string {
	if (phase !== 'lost') return messageOf(error, 'Failed to upload contacts')
	return error instanceof ApiError && error.status > 0
		? messageOf(error, 'The server gave an unexpected answer.')
		: 'The server cannot be reached. Please check your connection.'
}

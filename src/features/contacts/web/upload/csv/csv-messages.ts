import type { Columns } from '#features/contacts/columns.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import type { Refused } from '#lib/app-error.ts'
import type { ContactRow, ContactsFile } from './contacts-file.ts'
import type { Rejected } from './csv-report.ts'
import type { LeftOut, SecondNumbers, Tiles } from './file-summary.ts'

/** Summary of a file for the page; the rows remain in the worker. */
export interface Summary
	extends Pick<ContactsFile, 'header' | 'columns' | 'likelyTypes'>, Tiles, SecondNumbers, LeftOut {
	/** Number of rows to send. */
	total: number
	/** True when rows with unlikely numbers are sent. */
	withUnlikely: boolean
	/** True when rows without a name use their number as the name. */
	namesByNumber: boolean
	/** Number of rows that were corrected on screen. */
	corrected: number
	/** True when every number has been checked against the contacts; null when the file is too long for that. */
	isChecked: boolean | null
}

export type Ask = { id: number } & (
	| { kind: 'open'; file: File }
	| { kind: 'map'; columns: Columns }
	| { kind: 'correct'; row: number; typed: TypedPerson }
	/** Sets the retained columns. */
	| { kind: 'keep'; places: number[] }
	/** Includes rows with unlikely numbers, or leaves them out. */
	| { kind: 'include'; unlikely: boolean }
	/** Uses the number as the name in rows without a name, or stops doing so. */
	| { kind: 'name'; byNumber: boolean }
	| { kind: 'unasked'; count: number }
	/** Passes on the server's answer: `known` has the indexes of `numbers` that are contacts. */
	| { kind: 'know'; numbers: string[]; known: number[] }
	| { kind: 'take'; from: number; count: number }
	| { kind: 'report'; rejected: Rejected[] }
)

export type Answer = { id: number } & (
	| { kind: 'read'; summary: Summary }
	| { kind: 'numbers'; numbers: string[] }
	| { kind: 'rows'; rows: ContactRow[] }
	| { kind: 'report'; file: File }
	/** Error of a request. `refusal` is null for an unexpected error. */
	| { kind: 'failed'; refusal: Refused | null }
)

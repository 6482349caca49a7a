import type { Columns } from '#features/contacts/columns.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import type { ContactRow, ContactsFile } from './contacts-file.ts'
import type { Rejected } from './csv-report.ts'
import type { LeftOut, Seconds, Tiles } from './file-summary.ts'

/** What the page needs to know of a file; its rows stay in the worker. */
export interface Summary extends Pick<ContactsFile, 'header' | 'columns' | 'likelyTypes'>, Tiles, Seconds, LeftOut {
	/** How many rows there are to send. */
	total: number
	/** Whether rows with unlikely numbers are among them. */
	withUnlikely: boolean
	/** Whether rows without a name have their number as the name. */
	namesByNumber: boolean
	/** How many were corrected here. */
	corrected: number
	/** Whether the account has a number is known of all rows; null when the file is too long for that. */
	isTold: boolean | null
}

export type Ask = { id: number } & (
	| { kind: 'open'; file: File }
	| { kind: 'map'; columns: Columns }
	| { kind: 'correct'; row: number; typed: TypedPerson }
	/** From now on the rows have what stands in these columns. */
	| { kind: 'keep'; places: number[] }
	/** From now on rows with unlikely numbers are sent, or not. */
	| { kind: 'include'; unlikely: boolean }
	/** From now on rows without a name have their number as the name, or none. */
	| { kind: 'name'; byNumber: boolean }
	| { kind: 'unasked'; count: number }
	/** The account has those of the numbers whose places are given. */
	| { kind: 'know'; numbers: string[]; known: number[] }
	| { kind: 'take'; from: number; count: number }
	| { kind: 'report'; rejected: Rejected[] }
)

export type Answer = { id: number } & (
	| { kind: 'read'; summary: Summary }
	| { kind: 'numbers'; numbers: string[] }
	| { kind: 'rows'; rows: ContactRow[] }
	| { kind: 'report'; file: File }
	/** Without a message when it was not foreseen. */
	| { kind: 'failed'; message: string }
)

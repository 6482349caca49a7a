import type { Columns } from '#features/contacts/columns.ts'
import type { ContactsFile, SendRow } from './contacts-file.ts'
import type { Rejected } from './csv-report.ts'

/** What the page needs to know of a file; its rows stay in the worker. */
export interface Summary extends Pick<ContactsFile, 'header' | 'columns' | 'counts' | 'preview'> {
	/** How many rows there are to send. */
	total: number
}

export type Ask = { id: number } & (
	| { kind: 'open'; file: File }
	| { kind: 'map'; columns: Columns }
	| { kind: 'take'; from: number; count: number }
	| { kind: 'report'; rejected: Rejected[] }
)

export type Answer = { id: number } & (
	| { kind: 'read'; summary: Summary }
	| { kind: 'rows'; rows: SendRow[] }
	| { kind: 'report'; file: File }
	/** Without a message when it was not foreseen. */
	| { kind: 'failed'; message: string }
)

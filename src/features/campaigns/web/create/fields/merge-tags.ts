import type { Format } from '#features/audiences/contract.ts'
import type { ColumnKind, Recipient } from '#features/audiences/values.ts'

const CONTACT_FIELDS: Record<string, string> = {
	firstName: 'First name',
	lastName: 'Last name',
	number: 'Phone number',
}

/** Returns the name of a merge tag on screen: words for a field of contacts, the column's own name for a file. */
export function tagLabel(tag: string): string {
	return CONTACT_FIELDS[tag] ?? tag
}

/** The values that an audience offers. */
export interface TagSource {
	/** The fields or columns, each once. */
	fields: readonly string[]
	/** True for the columns of a file. */
	isFile: boolean
	/** The recipient whose values are shown. */
	recipient: Recipient | undefined
	/** Number of recipients without a value, by tag. */
	gaps: Readonly<Record<string, number>>
	/** The format and a typed value of each column of numbers or dates. */
	written: ReadonlyMap<string, WrittenColumn>
}

export interface WrittenColumn {
	kind: ColumnKind
	format: Format
	typed: string | null | undefined
}

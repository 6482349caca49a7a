import type { ColumnKind, Format, Recipient } from '#features/audiences/recipient-values.ts'

const CONTACT_FIELDS: Record<string, string> = {
	firstName: 'First name',
	lastName: 'Last name',
	number: 'Phone number',
}

/** What a merge tag is called on screen: a field of contacts in words, a column of a file by its own name. */
export function tagLabel(tag: string): string {
	return CONTACT_FIELDS[tag] ?? tag
}

/** What an audience offers to fill in. */
export interface TagSource {
	/** Its fields or columns, each once. */
	fields: readonly string[]
	/** They are the columns of a file. */
	isFile: boolean
	/** One of it, whose values are shown. */
	recipient: Recipient | undefined
	/** How many have nothing for a tag, where some have not. */
	gaps: Readonly<Record<string, number>>
	/** Of columns with numbers or dates: how they are written, and a value as it stands in the file. */
	written: ReadonlyMap<string, WrittenColumn>
}

export interface WrittenColumn {
	kind: ColumnKind
	format: Format
	typed: string | null | undefined
}

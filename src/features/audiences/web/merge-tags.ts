import type { Format } from '#features/audiences/contract.ts'
import type { ColumnKind, Recipient } from '#features/audiences/values.ts'

/** The values that an audience offers. */
export interface TagSource {
	/** The fields or columns, each once. */
	fields: readonly string[]
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

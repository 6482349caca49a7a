import { withoutOverrides } from '#lib/text/bidi.ts'

/** An option of a select. */
export interface Choice {
	value: string
	label: string
}

/** Returns the options of named items, by id. */
export function choicesOf(named: readonly { _id: string; name: string }[]): Choice[] {
	return named.map(({ _id, name }) => ({ value: _id, label: withoutOverrides(name) }))
}

import { withoutOverrides } from '#lib/bidi.ts'

/** What a select offers. */
export interface Choice {
	value: string
	label: string
}

/** The choice among things that have a name, by their ids. */
export function choicesOf(named: readonly { _id: string; name: string }[]): Choice[] {
	return named.map(({ _id, name }) => ({ value: _id, label: withoutOverrides(name) }))
}

import { Fragment } from 'react'
import { withoutOverrides } from '#lib/bidi.ts'

/** Where an address or a template's name breaks rather than within a word; a sum does not break at its point. */
const AFTER_SIGN = /(?<=[@_]|\.(?!\d))/

interface TwoLinesProps {
	/** What somebody has typed, in whatever script. */
	text: string
}

/** A text in at most two lines of a table; the whole is in its title, and in a card. */
export function TwoLines({ text }: TwoLinesProps) {
	const shown = withoutOverrides(text)
	return (
		<bdi className="two-lines" title={shown}>
			{shown.split(AFTER_SIGN).map((part, index) => (
				<Fragment key={index}>
					{index > 0 && <wbr />}
					{part}
				</Fragment>
			))}
		</bdi>
	)
}

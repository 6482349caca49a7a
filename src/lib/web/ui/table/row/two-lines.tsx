import { Fragment } from 'react'
import { withoutOverrides } from '#lib/text/bidi.ts'

/** Positions at which an email address or template name may break. An amount does not break at its decimal point. */
const AFTER_SIGN = /(?<=[@_]|\.(?!\d))/

interface TwoLinesProps {
	/** User input in any script. */
	text: string
}

/** Renders a text on at most two lines of a table; the title attribute and cards show all of it. */
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

interface TwoLinesProps {
	/** What somebody has typed, in whatever script. */
	text: string
}

/** A text in at most two lines of a table; the whole is in its title, and in a card. */
export function TwoLines({ text }: TwoLinesProps) {
	return (
		<bdi className="two-lines" title={text}>
			{text}
		</bdi>
	)
}

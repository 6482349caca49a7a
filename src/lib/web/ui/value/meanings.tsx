interface MeaningsProps {
	/** Definitions by the name of the figure; null for a figure that is not shown. */
	of: Readonly<Record<string, string | null>>
}

/** Renders the definitions of a screen's figures, folded below their title. */
export function Meanings({ of }: MeaningsProps) {
	return (
		<details className="unfolds fine">
			<summary>What these figures mean</summary>
			{Object.entries(of).map(
				([name, meaning]) =>
					meaning && (
						<p key={name}>
							<b>{name}</b>: {meaning}
						</p>
					),
			)}
		</details>
	)
}

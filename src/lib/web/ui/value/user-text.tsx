import { withoutOverrides } from '#lib/text/bidi.ts'

interface UserTextProps {
	/** A name or other short user input. */
	text: string
	className?: string | undefined
	title?: string | undefined
}

/** Renders user input in a `<bdi>`, so that right-to-left text does not reorder its surroundings. */
export function UserText({ text, title, className }: UserTextProps) {
	return (
		<bdi className={className} title={title && withoutOverrides(title)}>
			{withoutOverrides(text)}
		</bdi>
	)
}

import { withoutOverrides } from '#lib/bidi.ts'

interface UserTextProps {
	/** A name, or another short text that somebody typed. */
	text: string
	className?: string | undefined
	title?: string | undefined
}

/** User input in a `<bdi>`, so that right-to-left text does not reorder the text around it. */
export function UserText({ text, title, className }: UserTextProps) {
	return (
		<bdi className={className} title={title && withoutOverrides(title)}>
			{withoutOverrides(text)}
		</bdi>
	)
}

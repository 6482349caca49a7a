import { withoutOverrides } from '#lib/bidi.ts'

interface UserTextProps {
	/** A name, or another short text that somebody typed. */
	text: string
	className?: string | undefined
	title?: string | undefined
}

/** What somebody typed, kept apart from the words around it: written from right to left, it does not turn them round. */
export function UserText({ text, title, className }: UserTextProps) {
	return (
		<bdi className={className} title={title && withoutOverrides(title)}>
			{withoutOverrides(text)}
		</bdi>
	)
}

import { Fragment, type ReactNode } from 'react'

const MARKS = [
	{ mark: '```', tag: 'code' },
	{ mark: '*', tag: 'strong' },
	{ mark: '_', tag: 'em' },
	{ mark: '~', tag: 's' },
] as const

// A mark opens after the start, a space or punctuation, and encloses no space at its inner edges, as in WhatsApp.
const PATTERN =
	/```(?<code>[\s\S]+?)```|(?<![\p{L}\p{N}])(?:\*(?<strong>\S|\S[^\n]*?\S)\*|_(?<em>\S|\S[^\n]*?\S)_|~(?<s>\S|\S[^\n]*?\S)~)(?![\p{L}\p{N}])/u

interface ChatMarkupProps {
	/** With `*bold*`, `_italic_`, `~struck~` and three backquotes for fixed width. */
	text: string
}

/** Text as WhatsApp shows it. */
export function ChatMarkup({ text }: ChatMarkupProps) {
	return <>{render(text)}</>
}

function render(text: string): ReactNode {
	const match = PATTERN.exec(text)
	if (!match?.groups) return text
	const groups = match.groups
	const found = MARKS.find(({ tag }) => groups[tag] !== undefined)
	const inner = found ? (groups[found.tag] ?? '') : ''
	const Tag = found?.tag ?? 'strong'
	return (
		<Fragment>
			{text.slice(0, match.index)}
			<Tag>{Tag === 'code' ? inner : render(inner)}</Tag>
			{render(text.slice(match.index + match[0].length))}
		</Fragment>
	)
}

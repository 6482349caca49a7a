import { Fragment, type ReactNode } from 'react'
import { type Piece, readMarks } from './chat-marks.ts'

interface ChatMarkupProps {
	/** Text with `*bold*`, `_italic_`, `~struck~` and three backquotes for fixed width. */
	text: string
}

/** Renders a text with WhatsApp's formatting. */
export function ChatMarkup({ text }: ChatMarkupProps) {
	return <>{render(readMarks(text))}</>
}

function render(pieces: readonly Piece[]): ReactNode[] {
	return pieces.map((piece, position) => {
		const key = `${position}`
		if (typeof piece === 'string') return <Fragment key={key}>{piece}</Fragment>
		const Tag = piece.tag
		return <Tag key={key}>{render(piece.pieces)}</Tag>
	})
}

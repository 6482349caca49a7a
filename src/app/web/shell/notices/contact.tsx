import type { ReactNode } from 'react'

/** A mail address or a phone number. Its length is bounded, so that no text takes long. */
const LINKED = /([^\s,;:<>()]{1,64}@[^\s,;:<>()]{1,60}[a-z\d]|\+?\d[\d ()-]{6,18}\d)/i

/** Whom to ask, with what one taps to mail or call them. */
export function Contact({ text }: { text: string }): ReactNode {
	// At odd places what the pattern holds.
	return text.split(LINKED).map((part, at) =>
		at % 2 === 0 ? (
			part
		) : (
			<a key={at} href={part.includes('@') ? `mailto:${part}` : `tel:${part.replace(/[^+\d]/g, '')}`}>
				{part}
			</a>
		),
	)
}

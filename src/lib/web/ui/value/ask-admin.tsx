import type { ReactNode } from 'react'
import { appConfig } from '#lib/web/app-config.ts'

/** A mail address or a phone number. Its length is bounded, so that no text takes long. */
const LINKED = /([^\s,;:<>()]{1,64}@[^\s,;:<>()]{1,60}[a-z\d]|\+?\d[\d ()-]{6,18}\d)/i

/** After a sentence that says what the administrator has to do. */
export function AskAdmin(): ReactNode {
	if (!appConfig.supportContact) return 'Please ask them.'
	return (
		<>
			Ask <Contact text={appConfig.supportContact} />.
		</>
	)
}

/** Whom to ask, with what one taps to mail or call them. */
function Contact({ text }: { text: string }): ReactNode {
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

import type { ReactNode } from 'react'
import { appConfig } from '#lib/web/app-config.ts'

/** An email address or phone number, bounded in length so that matching stays fast. */
const LINKED = /([^\s,;:<>()]{1,64}@[^\s,;:<>()]{1,60}[a-z\d]|\+?\d[\d ()-]{6,18}\d)/i

/**
 * Renders a request to ask the administrator, with their contact if one is configured. Follows a sentence that says what the
 * administrator must do.
 */
export function AskAdmin(): ReactNode {
	if (!appConfig.supportContact) return 'Please ask them.'
	return (
		<>
			Ask <Contact text={appConfig.supportContact} />.
		</>
	)
}

/** Renders the contact text with links for mail and phone. */
function Contact({ text }: { text: string }): ReactNode {
	// Odd indexes are matches.
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

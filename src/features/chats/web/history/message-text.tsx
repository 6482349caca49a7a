import { withoutOverrides } from '#lib/text/bidi.ts'
import { linkify } from '#lib/text/links.ts'
import { ChatMarkup } from '#lib/web/ui/value/chat-markup.tsx'
import styles from './bubble.module.css'

/**
 * Renders a message's text with line breaks, WhatsApp's formatting and links, in its own writing direction. HTML stays text.
 */
export function MessageText({ text }: { text: string }) {
	return (
		<p className={styles.text} dir="auto">
			{linkify(withoutOverrides(text)).map(({ text: piece, href }, position) =>
				href ? (
					<a key={`${position}-${href}`} href={href} target="_blank" rel="noopener noreferrer nofollow">
						<bdi>{piece}</bdi>
					</a>
				) : (
					<ChatMarkup key={`${position}-text`} text={piece} />
				),
			)}
		</p>
	)
}

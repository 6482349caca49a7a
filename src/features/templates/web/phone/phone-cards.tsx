import type { Component } from '#features/templates/contract.ts'
import { findComponent } from '#features/templates/values.ts'
import { ChatMarkup } from '#lib/web/ui/value/chat-markup.tsx'
import { PhoneButtons } from './phone-buttons.tsx'
import { PhoneHeader, type ShownFile } from './phone-header.tsx'
import styles from './phone-frame.module.css'

interface PhoneCardsProps {
	/** Components of each card. */
	cards: readonly (readonly Component[])[]
	files: readonly (ShownFile | null)[]
}

/** Shows the cards of a carousel side by side below the message. They scroll sideways, with arrow keys too. */
export function PhoneCards({ cards, files }: PhoneCardsProps) {
	if (cards.length === 0) return null
	return (
		<ul className={`bare ${styles.cards}`} tabIndex={0} aria-label="Cards">
			{cards.map((components, index) => {
				const header = findComponent(components, 'HEADER')
				const text = findComponent(components, 'BODY')?.text
				return (
					// Cards have no id, and a change of their order redraws them.
					<li key={index} className={styles.card} aria-label={`Card ${index + 1} of ${cards.length}`}>
						{header && <PhoneHeader header={header} file={files[index] ?? null} />}
						{text && (
							<div className={`${styles.text} ${styles.body}`}>
								<ChatMarkup text={text} />
							</div>
						)}
						<PhoneButtons buttons={findComponent(components, 'BUTTONS')?.buttons ?? []} />
					</li>
				)
			})}
		</ul>
	)
}

import type { Recipient } from '#features/audiences/values.ts'
import type { Component, TemplateRow } from '#features/templates/contract.ts'
import { TemplateBubble } from '#features/templates/web/parts.tsx'
import { displayNumber } from '#lib/phone/phone.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './last-look.module.css'

interface LastLookProps {
	template: TemplateRow
	/** Some recipients, each with the message that they get. */
	looks: readonly { recipient: Recipient; components: Component[] }[]
}

/** Renders the message as it arrives at some of its recipients. */
export function LastLook({ template, looks }: LastLookProps) {
	return (
		<section className={`scrolls ${styles.looks}`} tabIndex={0} aria-label="As it will arrive">
			{looks.map(({ recipient, components }, position) => {
				const who = nameOf(recipient)
				return (
					<figure key={`${position}:${recipient['number']}`} className={styles.look}>
						<figcaption className="small">
							To{' '}
							{who && (
								<>
									<UserText className={styles.who} text={who} />{' '}
								</>
							)}
							{displayNumber((recipient['number'] ?? '').slice(1))}
						</figcaption>
						<TemplateBubble components={components} template={template} />
					</figure>
				)
			})}
		</section>
	)
}

function nameOf({ firstName, lastName }: Recipient): string {
	return [firstName, lastName].filter(Boolean).join(' ')
}

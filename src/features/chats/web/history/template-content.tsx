import type { Component } from '#features/templates/contract.ts'
import { findComponent } from '#features/templates/values.ts'
import { MessageText } from './message-text.tsx'
import styles from './bubble.module.css'

/** A template as it was sent; a file in its header is shown above it. */
export function TemplateContent({ components }: { components: readonly Component[] }) {
	const header = findComponent(components, 'HEADER')?.text
	const footer = findComponent(components, 'FOOTER')?.text
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	return (
		<>
			{header && (
				<p className={styles.header} dir="auto">
					{header}
				</p>
			)}
			<MessageText text={findComponent(components, 'BODY')?.text ?? ''} />
			{footer && (
				<p className={styles.footer} dir="auto">
					{footer}
				</p>
			)}
			{buttons.length > 0 && (
				<ul className={`bare ${styles.buttons}`} aria-label="Buttons">
					{buttons.map(({ type, text }, position) => (
						<li key={`${position}-${type}`}>{text ?? 'Button'}</li>
					))}
				</ul>
			)}
		</>
	)
}

import type { Component } from '#features/templates/contract.ts'
import { findComponent } from '#features/templates/values.ts'
import { ChatMarkup } from '#lib/web/ui/value/chat-markup.tsx'
import { PhoneButtons } from './phone-buttons.tsx'
import { PhoneHeader, type ShownFile } from './phone-header.tsx'
import { PhoneOffer } from './phone-offer.tsx'
import styles from './phone-frame.module.css'

interface PhoneBubbleProps {
	components: readonly Component[]
	/** File of the header; null draws a placeholder. */
	file: ShownFile | null
}

/** Shows a message with its buttons. */
export function PhoneBubble({ components, file }: PhoneBubbleProps) {
	const header = findComponent(components, 'HEADER')
	const footer = findComponent(components, 'FOOTER')?.text
	const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	return (
		<div className={styles.bubble}>
			{header && <PhoneHeader header={header} file={file} />}
			{offer && <PhoneOffer offer={offer} hasCode={buttons.some(({ type }) => type.toUpperCase() === 'COPY_CODE')} />}
			<div className={styles.text}>
				<div className={styles.body}>
					<ChatMarkup text={findComponent(components, 'BODY')?.text ?? ''} />
					{!footer && <span className={styles.timeRoom} />}
				</div>
				{footer && (
					<div className={styles.footer}>
						{footer}
						<span className={styles.timeRoom} />
					</div>
				)}
				<span className={styles.time}>10:30 am</span>
			</div>
			<PhoneButtons buttons={buttons} />
		</div>
	)
}

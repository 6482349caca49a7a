import { IconArrowBackUp, IconCopy, IconExternalLink, IconList, IconPhone } from '@tabler/icons-react'
import styles from './phone-frame.module.css'

export interface PhoneButton {
	/** QUICK_REPLY, URL, PHONE_NUMBER and Meta's further ones. */
	type: string
	text?: string
}

/** WhatsApp puts more than these behind a list. */
const MAX_SHOWN = 3

/** The buttons under a bubble. They are a picture of buttons: nothing happens on a click. */
export function PhoneButtons({ buttons }: { buttons: readonly PhoneButton[] }) {
	if (buttons.length === 0) return null
	const isLong = buttons.length > MAX_SHOWN
	return (
		<ul className={styles.buttons}>
			{buttons.slice(0, isLong ? MAX_SHOWN - 1 : MAX_SHOWN).map(({ type, text }, position) => (
				<li key={`${position}-${type}`}>
					{iconOf(type)}
					{text || 'Button'}
				</li>
			))}
			{isLong && (
				<li>
					<IconList size={18} aria-hidden />
					See all options
				</li>
			)}
		</ul>
	)
}

function iconOf(type: string) {
	if (type === 'URL') return <IconExternalLink size={18} aria-hidden />
	if (type === 'PHONE_NUMBER') return <IconPhone size={18} aria-hidden />
	if (type === 'OTP' || type === 'COPY_CODE') return <IconCopy size={18} aria-hidden />
	return <IconArrowBackUp size={18} aria-hidden />
}

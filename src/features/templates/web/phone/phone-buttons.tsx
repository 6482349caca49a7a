import { IconArrowBackUp, IconCopy, IconExternalLink, IconPhone } from '@tabler/icons-react'
import styles from './phone-frame.module.css'

export interface PhoneButton {
	/** QUICK_REPLY, URL, PHONE_NUMBER and Meta's further ones. */
	type: string
	text?: string
}

/** The buttons under a bubble. They are a picture of buttons: nothing happens on a click. */
export function PhoneButtons({ buttons }: { buttons: readonly PhoneButton[] }) {
	if (buttons.length === 0) return null
	return (
		<ul className={styles.buttons}>
			{buttons.map(({ type, text }, position) => (
				<li key={`${position}-${type}`}>
					{iconOf(type)}
					{text || 'Button'}
				</li>
			))}
		</ul>
	)
}

function iconOf(type: string) {
	if (type === 'URL') return <IconExternalLink size={16} aria-hidden />
	if (type === 'PHONE_NUMBER') return <IconPhone size={16} aria-hidden />
	if (type === 'OTP' || type === 'COPY_CODE') return <IconCopy size={16} aria-hidden />
	return <IconArrowBackUp size={16} aria-hidden />
}

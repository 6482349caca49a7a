import {
	IconAddressBook,
	IconArrowBackUp,
	IconCopy,
	IconExternalLink,
	IconForms,
	IconList,
	IconPhone,
	IconShoppingBag,
} from '@tabler/icons-react'
import type { Component } from '#features/templates/contract.ts'
import styles from './phone-frame.module.css'

/** Button of type QUICK_REPLY, URL, PHONE_NUMBER or another type of Meta's. */
type PhoneButton = NonNullable<Component['buttons']>[number]

/** Maximum visible buttons; WhatsApp puts further ones behind a list. */
const MAX_SHOWN = 3

/** Texts of buttons that WhatsApp labels itself. */
const LABELS: Record<string, string> = {
	REQUEST_CONTACT_INFO: 'Share phone number',
	COPY_CODE: 'Copy offer code',
	CATALOG: 'View catalogue',
	MPM: 'View items',
}

/** Shows the buttons below a bubble as a picture: clicks do nothing. */
export function PhoneButtons({ buttons }: { buttons: readonly PhoneButton[] }) {
	if (buttons.length === 0) return null
	const isLong = buttons.length > MAX_SHOWN
	return (
		<ul className={`bare ${styles.buttons}`}>
			{buttons.slice(0, isLong ? MAX_SHOWN - 1 : MAX_SHOWN).map((button, position) => (
				<li key={`${position}-${button.type}`}>
					{iconOf(button)}
					{button.text || (LABELS[button.type.toUpperCase()] ?? 'Button')}
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

function iconOf({ type, url = '' }: PhoneButton) {
	// Once approved, Meta describes the button that copies a code as a link.
	if (type === 'OTP' || type === 'COPY_CODE' || url.includes('/otp/')) return <IconCopy size={18} aria-hidden />
	if (type === 'REQUEST_CONTACT_INFO') return <IconAddressBook size={18} aria-hidden />
	if (type === 'URL') return <IconExternalLink size={18} aria-hidden />
	if (type === 'CATALOG' || type === 'MPM' || type === 'SPM') return <IconShoppingBag size={18} aria-hidden />
	if (type === 'FLOW') return <IconForms size={18} aria-hidden />
	if (type === 'PHONE_NUMBER') return <IconPhone size={18} aria-hidden />
	return <IconArrowBackUp size={18} aria-hidden />
}

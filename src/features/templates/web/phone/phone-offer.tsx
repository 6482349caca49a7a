import { IconGift } from '@tabler/icons-react'
import type { Component } from '#features/templates/contract.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { timeLeft } from './time-left.ts'
import styles from './phone-frame.module.css'

interface PhoneOfferProps {
	offer: NonNullable<Component['limited_time_offer']>
	/** True when a button copies a code, which the box then mentions. */
	hasCode: boolean
}

/** Shows the box of a limited-time offer with the time that is left. */
export function PhoneOffer({ offer: { text = '', has_expiration, expiration_time_ms }, hasCode }: PhoneOfferProps) {
	const now = useNow(expiration_time_ms !== undefined)
	const left = expiration_time_ms === undefined ? 'Ends in …' : timeLeft(expiration_time_ms - now)
	return (
		<div className={styles.offer}>
			<span className="centred">
				<IconGift size={22} aria-hidden />
			</span>
			<div>
				<b>{text || 'Text of the offer'}</b>
				{has_expiration && <span>{left}</span>}
				{hasCode && <small>With a code to copy</small>}
			</div>
		</div>
	)
}

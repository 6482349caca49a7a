import type { ReactNode } from 'react'
import type { Tone } from '../value/tone-badge.tsx'
import styles from './icon-box.module.css'

interface IconBoxProps {
	tone: Tone
	/** A tabler icon at size 20. */
	icon: ReactNode
}

/** An icon on a square in the colours of its tone. Decorative: the text beside it says the same. */
export function IconBox({ tone, icon }: IconBoxProps) {
	return (
		<span className={styles.box} data-tone={tone} aria-hidden>
			{icon}
		</span>
	)
}

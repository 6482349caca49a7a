import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'

const ICONS = { ok: IconCircleCheck, info: IconInfoCircle, warn: IconAlertTriangle, error: IconAlertCircle }

interface NoticeProps {
	tone: keyof typeof ICONS
	title?: string
	children: ReactNode
	/** `status` or `alert` when it appears while somebody is at work; without it, it is only read in its turn. */
	role?: 'status' | 'alert'
}

/** A few words that stay on the screen, for what is too important or too long for a toast. */
export function Notice({ tone, title, children, role }: NoticeProps) {
	const Icon = ICONS[tone]
	return (
		<div className={styles.notice} data-tone={tone} role={role}>
			<Icon className={styles.icon} size={20} aria-hidden />
			<div className={styles.texts}>
				{title && <p className={styles.title}>{title}</p>}
				{children}
			</div>
		</div>
	)
}

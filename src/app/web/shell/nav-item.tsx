import type { Icon } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { formatCount } from '#lib/numbers.ts'
import styles from './sidebar.module.css'

interface NavItemProps {
	label: string
	to: string
	icon?: Icon
	onNavigate?: () => void
	/** How much there is new: shown when it is more than none. */
	count?: number | undefined
}

export function NavItem({ label, to, icon: Mark, onNavigate, count = 0 }: NavItemProps) {
	return (
		<NavLink className={styles.item} to={to} end onClick={onNavigate}>
			{Mark && <Mark className={styles.icon} size={20} stroke={1.7} aria-hidden />}
			{label}
			{count > 0 && (
				<span className={styles.count}>
					{formatCount(count)}
					<span className="visually-hidden"> unread</span>
				</span>
			)}
		</NavLink>
	)
}

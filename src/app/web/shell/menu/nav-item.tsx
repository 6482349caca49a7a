import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import styles from './sidebar.module.css'

interface NavItemProps {
	label: string
	to: string
	icon?: Icon
	onNavigate?: () => void
	/** Behind the words. */
	children?: ReactNode
}

export function NavItem({ label, to, icon: Mark, onNavigate, children }: NavItemProps) {
	return (
		<NavLink className={styles.item} to={to} end onClick={onNavigate}>
			{Mark && <Mark className={styles.icon} size={20} stroke={1.7} aria-hidden />}
			{label}
			{children}
		</NavLink>
	)
}

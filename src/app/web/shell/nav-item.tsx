import type { Icon } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import styles from './sidebar.module.css'

interface NavItemProps {
	label: string
	to: string
	icon?: Icon
	onNavigate?: () => void
}

export function NavItem({ label, to, icon: Mark, onNavigate }: NavItemProps) {
	return (
		<NavLink className={styles.item} to={to} end onClick={onNavigate}>
			{Mark && <Mark className={styles.icon} size={20} stroke={1.7} aria-hidden />}
			{label}
		</NavLink>
	)
}

import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { leadsTo, type MenuLink } from './menu.ts'
import styles from './sidebar.module.css'

interface NavItemProps extends MenuLink {
	icon?: Icon
	onNavigate?: () => void
	/** Behind the words. */
	children?: ReactNode
}

/** On a screen that is reached from its own, it is marked as well, though it is not the current page. */
export function NavItem({ label, to, under, icon: Mark, onNavigate, children }: NavItemProps) {
	const { pathname } = useLocation()
	const current = to === pathname ? 'page' : leadsTo({ to, under }, pathname)
	return (
		<Link className={styles.item} to={to} aria-current={current || undefined} onClick={onNavigate}>
			{Mark && <Mark className={styles.icon} size={20} stroke={1.7} aria-hidden />}
			{label}
			{children}
		</Link>
	)
}

import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLocation } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { leadsTo, type MenuLink } from './menu.ts'
import styles from './sidebar.module.css'

interface NavItemProps extends MenuLink {
	icon?: Icon
	onNavigate?: () => void
	/** Content after the text. */
	children?: ReactNode
}

/** Renders a menu link. On subordinate screens it is highlighted, without being the current page. */
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

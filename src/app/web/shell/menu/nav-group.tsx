import { Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown, type Icon } from '@tabler/icons-react'
import { useId } from 'react'
import { useLocation } from '#lib/web/router/hooks.ts'
import { leadsTo, type MenuGroup } from './menu.ts'
import { NavItem } from './nav-item.tsx'
import styles from './sidebar.module.css'

interface NavGroupProps extends MenuGroup {
	icon: Icon
	onNavigate?: () => void
}

/** Renders a collapsible group. The group of the current screen is open at first. */
export function NavGroup({ label, icon: Mark, links, onNavigate }: NavGroupProps) {
	const id = useId()
	const { pathname } = useLocation()
	const [left, setLeft] = useLocalStorage<Record<string, boolean>>({
		key: 'menu-groups',
		defaultValue: {},
		getInitialValueInEffect: false,
	})
	const isActive = links.some((link) => leadsTo(link, pathname))
	const isOpen = left[label] ?? isActive
	return (
		<>
			<button
				type="button"
				className={styles.item}
				aria-expanded={isOpen}
				aria-controls={id}
				data-active={isActive}
				onClick={() => setLeft((old) => ({ ...old, [label]: !isOpen }))}
			>
				<Mark className={styles.icon} size={20} stroke={1.7} aria-hidden />
				{label}
				<IconChevronDown className={styles.arrow} size={16} aria-hidden />
			</button>
			<Stack component="ul" className={`bare ${styles.links}`} gap={2} id={id} hidden={!isOpen}>
				{links.map((link) => (
					<li key={link.to}>
						<NavItem {...link} onNavigate={onNavigate} />
					</li>
				))}
			</Stack>
		</>
	)
}

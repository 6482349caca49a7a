import { Box, Group, Stack } from '@mantine/core'
import { useCurrentUser, useMay } from '#features/auth/web/parts.tsx'
import { chatPaths } from '#features/chats/paths.ts'
import { useConnection } from '#lib/web/connection.ts'
import { useLiveState } from '#lib/web/live.ts'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Brand } from './brand.tsx'
import { menuOf } from './menu.ts'
import { NavGroup } from './nav-group.tsx'
import { NavItem } from './nav-item.tsx'
import styles from './sidebar.module.css'

// Loaded late, since the first paint does not need it.
const UnreadChats = latePart(() => import('../unread-chats.tsx').then((module) => module.UnreadChats))

interface SidebarProps {
	/** Called when a link is followed, which closes the drawer. */
	onNavigate?: () => void
}

export function Sidebar({ onNavigate }: SidebarProps) {
	const user = useCurrentUser()
	const hasBell = useMay('manager')
	return (
		<Stack gap={0} h="100dvh" bg="var(--app-surface)">
			<div className={styles.brand}>
				<Brand />
			</div>
			<Box component="nav" className="scrolls" flex={1} py={12} px={8} aria-label="Main menu">
				<Stack component="ul" className="bare" gap={2}>
					{(user ? menuOf(user) : []).map((entry) => (
						<li key={entry.label}>
							{'links' in entry ? (
								<NavGroup {...entry} onNavigate={onNavigate} />
							) : (
								<NavItem {...entry} onNavigate={onNavigate}>
									{entry.to === chatPaths.live && hasBell && <UnreadChats />}
								</NavItem>
							)}
						</li>
					))}
				</Stack>
			</Box>
			<SystemState />
		</Stack>
	)
}

/**
 * Renders a status dot, amber while the server is unreachable or live updates have been missing for five seconds. The
 * text stays the same.
 */
function SystemState() {
	const isCut = useDelayed(useLiveState() !== 'open', 5000)
	const isDown = useConnection() !== 'online' || isCut
	return (
		<Group className="quiet ruled" gap={8} wrap="nowrap" py={12} px={20}>
			<span className={styles.dot} data-down={isDown} />
			System Active
			{isDown && <span className="visually-hidden">, live updates are interrupted</span>}
		</Group>
	)
}

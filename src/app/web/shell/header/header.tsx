import { ActionIcon, Group } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { PaletteButton } from '#app/web/palette/palette-button.tsx'
import { useCurrentUser, useMay } from '#features/auth/web/parts.tsx'
import { NotificationBell } from '#features/notifications/web/notification-bell.tsx'
import { AddMoneyInHeader } from '#features/payments/web/parts.tsx'
import { WalletChip } from '#features/wallet/web/parts.tsx'
import { appConfig } from '#lib/web/app-config.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import styles from './header.module.css'

// Loaded late, since the first paint does not need them.
const Notices = latePart(() => import('../notices/notices.tsx').then((module) => module.Notices))
const AdminSearch = latePart(() => import('./admin-search.tsx').then((module) => module.AdminSearch))

interface HeaderProps {
	/** Opens the drawer; undefined while the sidebar is visible. */
	onMenu?: () => void
}

export function Header({ onMenu }: HeaderProps) {
	const user = useCurrentUser()
	const [isAdmin, isManager, isAgent] = [useMay('admin'), useMay('manager'), useMay('agent')]
	return (
		<Group component="header" className={styles.header} gap={8} wrap="nowrap">
			{onMenu && (
				<ActionIcon
					className={styles.menu}
					variant="subtle"
					color="gray"
					size="var(--app-control)"
					aria-label="Open the menu"
					onClick={onMenu}
				>
					<IconMenu2 size={22} aria-hidden />
				</ActionIcon>
			)}
			<div className={`grow ${styles.titles}`}>
				<h1 className={`one-line ${styles.title}`}>WhatsApp Bulk Message</h1>
				<p className={`small one-line ${styles.subtitle}`}>Manage and send bulk messages</p>
			</div>
			{user && <Notices />}
			{isAdmin && <AdminSearch />}
			{user && (isAdmin || isManager) && (
				<span className={styles.palette}>
					<PaletteButton user={user} />
				</span>
			)}
			{isManager && <WalletChip />}
			{isManager && appConfig.addMoney && <AddMoneyInHeader />}
			{isAgent && <NotificationBell />}
			<ProfileMenu />
		</Group>
	)
}

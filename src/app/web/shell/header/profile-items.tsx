import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import {
	type Icon,
	IconCheck,
	IconCode,
	IconDeviceDesktop,
	IconLogout,
	IconMoon,
	IconReceiptRupee,
	IconSettings,
	IconSun,
	IconUser,
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { developerPaths } from '#features/developer/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { TargetElsewhere } from '#lib/web/ui/layout/target-elsewhere.tsx'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { Profile } from '../use-profile.ts'
import styles from './profile-items.module.css'

const ICON = { size: 18, stroke: 1.7, 'aria-hidden': true }

interface ProfileItemsProps {
	/** Id of the button; the menu's id is derived from it. */
	id: string
	target: RefObject<HTMLElement | null>
	/** Passed from the button, so that it is not fetched twice. */
	profile: Profile
	opened: boolean
	onClose: () => void
	onLogout: () => void
}

/** Renders the content of the account menu. */
export function ProfileItems({ id, target, profile, opened, onClose, onLogout }: ProfileItemsProps) {
	const { role, name, email } = profile
	const [isManager, isOwner] = [useMay('manager'), useMay('owner')]
	return (
		<Menu id={id} width={240} opened={useSeenOpening(opened)} onClose={onClose}>
			<Menu.Target>
				<TargetElsewhere of={target} />
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Label className={styles.who}>
					<b>
						<UserText text={name} />
					</b>
					<span>{email}</span>
				</Menu.Label>
				<Menu.Item component={Link} to={userPaths.profile} leftSection={<IconUser {...ICON} />}>
					My Profile
				</Menu.Item>
				{role === 'user' && (
					<>
						<Menu.Item component={Link} to={userPaths.settings} leftSection={<IconSettings {...ICON} />}>
							Account Settings
						</Menu.Item>
						{isManager && (
							<Menu.Item component={Link} to={statementPaths.payments} leftSection={<IconReceiptRupee {...ICON} />}>
								Billing
							</Menu.Item>
						)}
						{isOwner && (
							<Menu.Item component={Link} to={developerPaths.developers} leftSection={<IconCode {...ICON} />}>
								Developers
							</Menu.Item>
						)}
					</>
				)}
				<Menu.Divider />
				<ThemeChoice />
				<Menu.Divider />
				<Menu.Item leftSection={<IconLogout {...ICON} />} onClick={onLogout}>
					Logout
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	)
}

const CHOICES: { scheme: MantineColorScheme; label: string; icon: Icon }[] = [
	{ scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
	{ scheme: 'light', label: 'Light', icon: IconSun },
	{ scheme: 'dark', label: 'Dark', icon: IconMoon },
]

/** Renders three theme entries of the profile menu, which stays open to show the effect. */
function ThemeChoice() {
	const { colorScheme, setColorScheme } = useMantineColorScheme()
	return (
		<>
			<Menu.Label>Theme</Menu.Label>
			{CHOICES.map(({ scheme, label, icon: Mark }) => (
				<Menu.RadioItem
					key={scheme}
					value={scheme}
					checked={colorScheme === scheme}
					checkIcon={<IconCheck size={16} aria-hidden />}
					rightSection={<Mark size={18} stroke={1.7} aria-hidden />}
					onChange={() => setColorScheme(scheme)}
				>
					{label}
				</Menu.RadioItem>
			))}
		</>
	)
}

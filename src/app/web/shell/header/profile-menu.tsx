import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconLogout, IconReceiptRupee, IconSettings, IconUser } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { initialOf, shortened } from '#lib/characters.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useProfile } from '../use-profile.ts'
import { ThemeChoice } from './theme-choice.tsx'
import styles from './profile-menu.module.css'

const LogoutDialog = latePart(() => import('./logout-dialog.tsx').then((module) => module.LogoutDialog))

const ICON = { size: 18, stroke: 1.7, 'aria-hidden': true }

export function ProfileMenu() {
	const { role, name, email } = useProfile()
	const [asked, { open: ask, close }] = useDisclosure(false)
	// The dialog is fetched when the menu opens first: by the time it is asked for, it is there to take the focus.
	const [wasOpen, setWasOpen] = useState(false)
	const target = useRef<HTMLButtonElement>(null)
	const shown = shortened(name, 15)
	const askFromMenu = () => {
		// The menu item is unmounted with the menu, so the focus returns to the button when the dialog closes.
		target.current?.focus()
		ask()
	}
	return (
		<>
			<Menu width={240} onOpen={() => setWasOpen(true)}>
				<Menu.Target>
					<UnstyledButton ref={target} className={styles.target}>
						<Avatar size={32} color="green" variant="filled" radius={999} aria-hidden>
							{initialOf(name || (role === 'admin' ? 'A' : 'U'))}
						</Avatar>
						{/* Not a label, which would have to hold the letter and the shortened name as well. */}
						<span className="visually-hidden">{`Account menu${name && `, ${name}`}`}</span>
						<span className={styles.name} aria-hidden>
							<UserText text={shown} />
						</span>
						<IconChevronDown className={styles.arrow} size={16} aria-hidden />
					</UnstyledButton>
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
							<Menu.Item component={Link} to={userPaths.editProfile} leftSection={<IconSettings {...ICON} />}>
								Account Settings
							</Menu.Item>
							<Menu.Item component={Link} to={walletPaths.payments} leftSection={<IconReceiptRupee {...ICON} />}>
								Billing
							</Menu.Item>
						</>
					)}
					<Menu.Divider />
					<ThemeChoice />
					<Menu.Divider />
					<Menu.Item leftSection={<IconLogout {...ICON} />} onClick={askFromMenu}>
						Logout
					</Menu.Item>
				</Menu.Dropdown>
			</Menu>
			{wasOpen && <LogoutDialog opened={asked} onClose={close} />}
		</>
	)
}

import { Avatar, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { initialOf, shortened } from '#lib/text/characters.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useProfile } from '../use-profile.ts'
import styles from './profile-menu.module.css'

// The button renders immediately; its menu opens once its code has loaded.
const ProfileItems = latePart(() => import('./profile-items.tsx').then((module) => module.ProfileItems))
const LogoutDialog = latePart(() => import('./logout-dialog.tsx').then((module) => module.LogoutDialog))

export function ProfileMenu() {
	const profile = useProfile()
	const { role, name } = profile
	const id = useId()
	const [opened, { toggle, close }] = useDisclosure(false)
	const [asked, { open: ask, close: leave }] = useDisclosure(false)
	// Loads the dialog when the menu first opens, so that it can take the focus in time.
	const [wasOpen, setWasOpen] = useState(false)
	const target = useRef<HTMLButtonElement>(null)
	const shown = shortened(name, 15)
	const askFromMenu = () => {
		// The menu item unmounts with the menu, so the focus returns to the button when the dialog closes.
		target.current?.focus()
		ask()
	}
	return (
		<>
			<UnstyledButton
				ref={target}
				id={id}
				className={styles.target}
				aria-haspopup="menu"
				aria-expanded={opened}
				aria-controls={opened ? `${id}-dropdown` : undefined}
				onClick={() => {
					setWasOpen(true)
					toggle()
				}}
			>
				<Avatar size={32} color="green" variant="filled" radius={999} aria-hidden>
					{initialOf(name || (role === 'admin' ? 'A' : 'U'))}
				</Avatar>
				{/* Hidden text names the button, because an aria-label would have to repeat the visible letter and name. */}
				<span className="visually-hidden">{`Account menu${name && `, ${name}`}`}</span>
				<span className={`one-line ${styles.name}`} aria-hidden>
					<UserText text={shown} />
				</span>
				<IconChevronDown className={styles.arrow} size={16} aria-hidden />
			</UnstyledButton>
			<ProfileItems id={id} target={target} profile={profile} opened={opened} onClose={close} onLogout={askFromMenu} />
			{wasOpen && <LogoutDialog opened={asked} onClose={leave} />}
		</>
	)
}

import { Button, Group } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useMay } from '#features/auth/web/parts.tsx'
import { chats } from '#features/chats/contract.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './composer.module.css'

interface ClosedWindowProps {
	name: string
	/** True if the customer has written before, though not in the last 24 hours. */
	hasWritten: boolean
	onTemplate: () => void
	button: React.RefObject<HTMLButtonElement | null>
}

/** Replaces the composer while WhatsApp accepts no free text. */
export function ClosedWindow({ name, hasWritten, onTemplate, button }: ClosedWindowProps) {
	const maySend = useMay(chats.sendTemplate.access)
	return (
		<Group
			component="section"
			className={styles.closed}
			gap="10px 16px"
			justify="space-between"
			aria-label="New message"
		>
			<p>
				<b>{hasWritten ? 'More than 24 hours since their last message.' : 'This customer has not written yet.'}</b>{' '}
				{maySend && 'Send a template. '}Once <UserText text={name} /> replies, you can chat freely for 24 hours.
			</p>
			{maySend && (
				<Button ref={button} leftSection={<IconTemplate size={16} aria-hidden />} onClick={onTemplate}>
					Send template
				</Button>
			)}
		</Group>
	)
}

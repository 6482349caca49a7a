import { Button, Drawer } from '@mantine/core'
import { IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { CustomerPanel } from '#features/customers/web/parts.tsx'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { refreshChats } from '../chat-queries.ts'
import styles from './customer-details.module.css'

/** Renders the details of the chat's customer beside the chat. */
export function CustomerAside({ contact }: { contact: ChatContact }) {
	return (
		<aside className={styles.aside} aria-label="Customer details">
			<Details contact={contact} />
		</aside>
	)
}

/** Renders the button that opens the details of the chat's customer over the chat, on tablets and phones. */
export function CustomerButton({ contact }: { contact: ChatContact }) {
	const [opened, setOpened] = useState<boolean | null>(null)
	return (
		<>
			<Button
				variant="subtle"
				color="gray"
				px={8}
				flex="none"
				aria-label="Customer details"
				title="Customer details"
				onClick={() => setOpened(true)}
			>
				<IconUserCircle size={22} stroke={1.7} aria-hidden />
				<span className={styles.word}>&nbsp;Customer</span>
			</Button>
			{opened !== null && <CustomerDrawer contact={contact} opened={opened} onClose={() => setOpened(false)} />}
		</>
	)
}

interface CustomerDrawerProps {
	contact: ChatContact
	opened: boolean
	onClose: () => void
}

function CustomerDrawer({ contact, opened, onClose }: CustomerDrawerProps) {
	return (
		<Drawer opened={useSeenOpening(opened)} onClose={onClose} title="Customer details" position="right" size={360}>
			<Details contact={contact} />
		</Drawer>
	)
}

function Details({ contact: { number, name } }: { contact: ChatContact }) {
	return <CustomerPanel key={number} number={number} name={name} onSaved={() => void refreshChats([number])} />
}

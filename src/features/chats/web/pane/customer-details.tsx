import { Drawer } from '@mantine/core'
import { IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { CustomerPanel } from '#features/customers/web/parts.tsx'
import { CaptionedIcon } from '#lib/web/ui/layout/captioned-icon.tsx'
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
			<CaptionedIcon
				aria-label="Customer details"
				caption="Details"
				icon={<IconUserCircle size={20} aria-hidden />}
				onClick={() => setOpened(true)}
			/>
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

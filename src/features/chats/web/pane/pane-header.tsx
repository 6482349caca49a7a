import { ActionIcon, Box, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ChatContact } from '#features/chats/contract.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { Avatar } from '../avatar.tsx'
import { numberLabel } from '../chat-name.ts'
import { CustomerButton } from './customer-details.tsx'
import styles from './chat-pane.module.css'

interface PaneHeaderProps {
	contact: ChatContact
	/** Time left of the 24 hours, such as "3h 12m left"; null when they are over, undefined while loading. */
	windowLeft: string | null | undefined
	onBack: () => void
	/** True when the customer's details are shown beside the chat. */
	hasAside: boolean
}

export function PaneHeader({ contact, windowLeft, onBack, hasAside }: PaneHeaderProps) {
	const { name } = contact
	const number = numberLabel(contact.number)
	return (
		<Group component="header" className={styles.header} wrap="nowrap" data-uncovered>
			<ActionIcon className={styles.back} color="gray" aria-label="Back to the chats" onClick={onBack}>
				<IconArrowLeft size={20} aria-hidden />
			</ActionIcon>
			<span className={styles.roomy}>
				<Avatar name={name} />
			</span>
			<div className={`grow ${styles.who}`}>
				<div className="grow">
					<Box component="h3" className="one-line" m={0} fz={15} fw={600} lh="1.375rem">
						<UserText text={name} />
					</Box>
					{name !== number && (
						<Group component="span" className={`small figures ${styles.number}`} gap={4} wrap="nowrap">
							<bdi dir="ltr">{number}</bdi>
							{number.startsWith('+') && (
								<span className={styles.roomy}>
									<CopyButton text={number} what="number" />
								</span>
							)}
						</Group>
					)}
				</div>
				<Group className={styles.badges} gap={6} align="stretch">
					{contact.optedOut && <ToneBadge tone="warn" label="Opted out" />}
					{windowLeft !== undefined && (
						<ToneBadge
							tone={windowLeft ? 'ok' : 'neutral'}
							label={windowLeft ? `open, ${windowLeft}` : 'window closed'}
						/>
					)}
				</Group>
			</div>
			{!hasAside && <CustomerButton contact={contact} />}
		</Group>
	)
}

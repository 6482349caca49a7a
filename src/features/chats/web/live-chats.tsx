import { Box } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { ChatPane } from './chat-pane.tsx'
import { ChatList } from './list/chat-list.tsx'
import { useChatUpdates } from './use-chat-updates.ts'
import { useOpenChat } from './use-open-chat.ts'
import { useRemainingHeight } from './use-remaining-height.ts'
import styles from './live-chats.module.css'

const OptOutReplies = latePart(() => import('./settings/opt-out-replies.tsx').then((module) => module.OptOutReplies))

/** The list of chats beside the open one; below 900 pixels only one of the two. */
export function LiveChats() {
	const frame = useRemainingHeight()
	const { selected, contact, placeholders, addressOf, start, close } = useOpenChat()
	const settings = useDraftDialog<never>('chat-replies')
	const [wasOpened, setWasOpened] = useState(settings.opened)
	useChatUpdates()
	return (
		<div className={`surface ${styles.screen}`} ref={frame} data-open={selected !== null}>
			<ChatList
				selected={selected}
				addressOf={addressOf}
				placeholders={placeholders}
				onStart={start}
				onSettings={() => {
					setWasOpened(true)
					settings.open(null)
				}}
			/>
			{contact ? (
				<ChatPane key={contact.number} contact={contact} onBack={close} />
			) : (
				<Box className="grow centred" bg="var(--app-chat-canvas)">
					{selected === null && (
						<EmptyState
							title="Choose a chat"
							hint="Messages appear here as they come in."
							icon={<IconMessageCircle size={32} stroke={1.5} aria-hidden />}
						/>
					)}
				</Box>
			)}
			{wasOpened && <OptOutReplies opened={settings.opened} onClose={settings.close} />}
		</div>
	)
}

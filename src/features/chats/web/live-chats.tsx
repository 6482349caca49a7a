import { Box } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useCallback, useEffect } from 'react'
import { refreshOn } from '#lib/web/live.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { latePart, usePreloaded } from '#lib/web/ui/late-part.tsx'
import { refreshChats, refreshConversation } from './chat-queries.ts'
import { ChatList, NewChat } from './list/chat-list.tsx'
import { useHasRoom } from './pane/use-has-room.ts'
import { useOpenChat } from './use-open-chat.ts'
import styles from './live-chats.module.css'
import aside from './pane/customer-details.module.css'

// Loaded separately, because a phone shows only the list at first.
const ChatPane = latePart(
	() => import('./chat-pane.tsx').then((module) => module.ChatPane),
	() => <Box className="grow" bg="var(--app-chat-canvas)" role="status" aria-label="Loading the chat" />,
)
const CustomerAside = latePart(
	() => import('./pane/customer-details.tsx').then((module) => module.CustomerAside),
	() => <aside className={aside.aside} />,
)

/** Renders the list of chats beside the open one; below 900 pixels, only one of the two. */
export function LiveChats() {
	const frame = useRemainingHeight()
	const hasRoom = useHasRoom()
	const { selected, contact, isShared, placeholders, addressOf, start, close } = useOpenChat()
	useChatUpdates()
	usePreloaded(ChatPane, NewChat, CustomerAside)
	return (
		<div className={`surface ${styles.screen}`} ref={frame} data-open={selected !== null}>
			<ChatList selected={selected} addressOf={addressOf} placeholders={placeholders} onStart={start} />
			{contact ? (
				<>
					<ChatPane key={contact.number} contact={contact} isShared={isShared} hasAside={hasRoom} onBack={close} />
					{hasRoom && <CustomerAside contact={contact} />}
				</>
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
		</div>
	)
}

/**
 * Returns a ref that keeps `--chat-top` at the element's distance from the top of the page, so that CSS can give it the
 * remaining height.
 */
function useRemainingHeight() {
	return useCallback((node: HTMLElement | null) => {
		if (!node) return
		const measure = () => {
			const top = node.getBoundingClientRect().top + window.scrollY
			node.style.setProperty('--chat-top', `${Math.round(top)}px`)
		}
		measure()
		window.addEventListener('resize', measure)
		// A banner above may appear or disappear, which resizes `main` or its parent.
		const observer = new ResizeObserver(measure)
		const main = node.closest('main')
		for (const frame of [main, main?.parentElement]) if (frame) observer.observe(frame)
		return () => {
			window.removeEventListener('resize', measure)
			observer.disconnect()
		}
	}, [])
}

/** Minimum milliseconds between two refreshes, because replies to a campaign can arrive many times a second. */
const MIN_INTERVAL_MS = 400

/** Minimum milliseconds between refreshes while a campaign is sent, whose statuses change many times a second. */
const CAMPAIGN_INTERVAL_MS = 2000

function useChatUpdates(): void {
	useEffect(() => refreshOn(({ kind }) => kind === 'campaign', CAMPAIGN_INTERVAL_MS, refreshConversation), [])
	useEffect(
		() =>
			refreshOn(
				({ kind }) => kind === 'chat',
				MIN_INTERVAL_MS,
				(events) => {
					const numbers = events.map(({ id }) => id ?? '')
					return refreshChats(numbers.includes('') ? 'all' : numbers)
				},
			),
		[],
	)
}

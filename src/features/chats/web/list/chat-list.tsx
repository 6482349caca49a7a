import { Box, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconMessagePlus, IconMessages, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { chats, type ChatContact } from '#features/chats/contract.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { useDocumentTitle } from '#lib/web/ui/layout/use-document-title.ts'
import { ChatRows } from './chat-rows.tsx'
import { ListTools } from './list-tools.tsx'
import { SyncButton } from './sync-button.tsx'
import { useChatList } from './use-chat-list.ts'
import styles from './list.module.css'

const TITLE = 'Live Chats'

export const NewChat = latePart(() => import('./new-chat.tsx').then((module) => module.NewChat))

interface ChatListProps {
	selected: string | null
	addressOf: (number: string) => string
	/** New chats without a message. They are not stored on the server. */
	placeholders: readonly ChatContact[]
	onStart: (number: string) => Promise<void>
}

export function ChatList({ selected, addressOf, placeholders, onStart }: ChatListProps) {
	const [search, setSearch] = useState('')
	const [isStarting, setIsStarting] = useState(false)
	const { contacts, counts, isNarrowed, error, refetch, isFetching, loadMore } = useChatList(search, placeholders)
	useDocumentTitle(TITLE)
	return (
		<div className={styles.list}>
			<Stack className={styles.head} gap={10}>
				<Head selected={selected} isStarting={isStarting} onNewChat={() => setIsStarting((old) => !old)} />
				{isStarting && (
					<NewChat
						onStart={async (number) => {
							await onStart(number)
							setIsStarting(false)
						}}
						onClose={() => setIsStarting(false)}
					/>
				)}
				<ListTools counts={counts} onSearch={setSearch} />
			</Stack>
			{contacts && contacts.length > 0 && (
				<ChatRows contacts={contacts} selected={selected} addressOf={addressOf} onEnd={loadMore} />
			)}
			{contacts?.length === 0 && <NoChats isSearched={search !== ''} isNarrowed={isNarrowed} />}
			{!contacts && (error ? <LoadError message={error} reading={{ refetch, isFetching }} /> : <ListSkeleton />)}
		</div>
	)
}

interface HeadProps extends Pick<ChatListProps, 'selected'> {
	isStarting: boolean
	onNewChat: () => void
}

/** Renders the title with the buttons that the seat allows: only a template opens a new chat. */
function Head({ selected, isStarting, onNewChat }: HeadProps) {
	const mayStart = useMay(chats.sendTemplate.access)
	return (
		<Group gap={4} wrap="nowrap" mih={40}>
			<Box component="h2" className="title" flex={1}>
				{TITLE}
			</Box>
			<SyncButton selected={selected} />
			{mayStart && (
				<Button
					variant="subtle"
					color="gray"
					px={6}
					leftSection={<IconMessagePlus size={20} aria-hidden />}
					aria-expanded={isStarting}
					onClick={onNewChat}
				>
					New chat
				</Button>
			)}
		</Group>
	)
}

function NoChats({ isSearched, isNarrowed }: { isSearched: boolean; isNarrowed: boolean }) {
	const Icon = isSearched || isNarrowed ? IconSearchOff : IconMessages
	return (
		<EmptyState
			title="No contacts found"
			hint={
				isSearched
					? 'Try part of the name, or the last digits of the number.'
					: isNarrowed
						? 'No chat is in this view now. Choose another view or filter.'
						: 'People who write to your WhatsApp number appear here.'
			}
			icon={<Icon size={32} stroke={1.5} aria-hidden />}
		/>
	)
}

function ListSkeleton() {
	const isVisible = useDelayed(true)
	return (
		<Stack p={16} gap={20} style={{ overflow: 'hidden' }} role="status" aria-label="Loading chats">
			{Array.from({ length: 8 }, (_, row) => (
				<Skeleton key={row} height={44} visible={isVisible} />
			))}
		</Stack>
	)
}

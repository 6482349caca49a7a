import { Skeleton, Stack } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { ChatState, Replying } from '#features/inbox/web/parts.tsx'
import { attachmentError, withType } from '#features/replies/web/attachment.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { useFileDrop } from '#lib/web/files/use-file-drop.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { ChatContact } from '../contract.ts'
import { useFetchError } from './chat-error.ts'
import { conversation, markRead, refreshChats } from './chat-queries.ts'
import { ClosedWindow } from './composer/closed-window.tsx'
import { Composer } from './composer/composer.tsx'
import { useDraft } from './composer/use-draft.ts'
import { History } from './history/history.tsx'
import type { Conversation } from './merge.ts'
import { discardConfirmed, outbox, type OutgoingMessage, type Quoted } from './outbox.ts'
import { PaneHeader } from './pane/pane-header.tsx'
import { SentStatus } from './pane/sent-status.tsx'
import { useWindowLeft } from './pane/window-time.ts'
import { TEMPLATE_DRAFT } from './template/template-draft.ts'
import styles from './pane/chat-pane.module.css'

const SendTemplate = latePart(() => import('./template/send-template.tsx').then((module) => module.SendTemplate))

const AskNumber = latePart(() => import('./composer/ask-number.tsx').then((module) => module.AskNumber))

const NOTHING: readonly OutgoingMessage[] = []

interface ChatPaneProps {
	contact: ChatContact
	/** True when several people work in the account. */
	isShared: boolean
	/** True when the customer's details are shown beside the chat. */
	hasAside: boolean
	onBack: () => void
}

/** Renders one chat: header, messages and composer. Use the number as its `key`, so that chats do not share state. */
export function ChatPane({ contact, isShared, hasAside, onBack }: ChatPaneProps) {
	const { number, name } = contact
	const messages = useQuery(conversation(number))
	const { data } = messages
	const outgoing = useQuery(outbox(number)).data ?? NOTHING
	const windowLeft = useWindowLeft(data ? data.windowExpiresAt : contact.windowExpiresAt)
	const isOpen = windowLeft !== null
	const template = useDraftDialog<{ _id: string }>(TEMPLATE_DRAFT)
	const input = useRef<HTMLTextAreaElement>(null)
	const { draft, change, onFile, onReply } = useMessageDraft(number, input)
	useMarkRead(number, data)
	useEffect(() => discardConfirmed(number, data?.messages ?? []), [number, data])
	const templateButton = useRef<HTMLButtonElement>(null)
	useFocusOnOpen(data && (isOpen ? input : templateButton))

	const drop = useFileDrop(isOpen, { onFile, onOthers: sayOneFile })

	return (
		<section className={`grow ${styles.pane}`} aria-label={`Chat with ${name}`} {...drop.handlers}>
			<PaneHeader contact={contact} windowLeft={data && windowLeft} hasAside={hasAside} onBack={onBack} />
			{isShared && contact.timestamp && (
				<div className={styles.state} data-uncovered>
					<ChatState chat={data?.contact ?? contact} refresh={() => refreshChats([number])} />
				</div>
			)}
			{data ? (
				<History
					number={number}
					name={name}
					conversation={data}
					outgoing={outgoing}
					isOpen={isOpen}
					onReply={onReply}
				/>
			) : (
				<Waiting query={messages} />
			)}
			<SentStatus number={number}>
				{isShared && <Replying number={number} newest={data?.messages.at(-1)?.id ?? ''} text={draft.text} />}
			</SentStatus>
			{data && isOpen && isUserId(number) && <AskNumber number={number} messages={data.messages} />}
			{data && isOpen && <Composer contact={contact} draft={draft} onChange={change} onFile={onFile} input={input} />}
			{data && !isOpen && (
				<ClosedWindow
					name={name}
					hasWritten={data.windowExpiresAt !== null}
					button={templateButton}
					onTemplate={() => template.open({ _id: number })}
				/>
			)}
			{template.subject?._id === number && <SendTemplate contact={contact} dialog={template} />}
			{drop.isOver && <p className={styles.drop}>Drop a file to attach it</p>}
		</section>
	)
}

const sayOneFile = () => chatToast.error('You can attach one file to a message. The first one was kept')

/** Returns the draft of a chat's message with the functions that change it. */
function useMessageDraft(number: string, input: React.RefObject<HTMLTextAreaElement | null>) {
	const [draft, change] = useDraft(number)
	const onFile = useCallback(
		(file: File) => {
			const error = attachmentError(file)
			if (error) return chatToast.error(error)
			change({ file: withType(file) })
			input.current?.focus()
		},
		[change, input],
	)
	const onReply = useCallback(
		(replyTo: Quoted) => {
			change({ replyTo })
			input.current?.focus()
		},
		[change, input],
	)
	return { draft, change, onFile, onReply }
}

interface WaitingProps {
	query: { error: unknown; isFetching: boolean; refetch: () => unknown; isPending: boolean }
}

const WAITING = { flex: 1, mih: 0, p: 16, gap: 14, justify: 'flex-end', style: { overflow: 'hidden' } }

function Waiting({ query: { error, isFetching, refetch, isPending } }: WaitingProps) {
	const showSkeleton = useDelayed(isPending && !error)
	const words = useFetchError(error, 'messages')
	if (words)
		return (
			<Stack {...WAITING}>
				<LoadError message={words} reading={{ refetch, isFetching }} />
			</Stack>
		)
	return (
		<Stack {...WAITING} role="status" aria-label="Loading messages">
			{['55%', '40%', '62%', '35%', '50%'].map((width, position) => (
				<Skeleton key={width} visible={showSkeleton} height={44} width={width} ml={position % 2 ? 'auto' : 0} />
			))}
		</Stack>
	)
}

/** Focuses the composer when a chat opens; not on touch screens, where the keyboard would cover the messages. */
function useFocusOnOpen(target: React.RefObject<HTMLElement | null> | undefined) {
	useEffect(() => {
		const isElsewhere = document.querySelector('[role="dialog"]') !== null
		if (target && !isElsewhere && window.matchMedia('(pointer: fine)').matches)
			target.current?.focus({ preventScroll: true })
	}, [target])
}

/** Marks an open chat as read: when it has loaded, and at each new message while the page is visible. */
function useMarkRead(number: string, opened: Conversation | undefined): void {
	const isVisible = useDocumentVisibility() === 'visible'
	const newest = opened?.messages.findLast(({ from }) => from === 'other')?.id ?? ''
	const seen = opened && isVisible ? newest : null
	useEffect(() => {
		if (seen !== null) void markRead(number)
	}, [number, seen])
}

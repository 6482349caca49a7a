import { ActionIcon, Anchor, Group, Stack } from '@mantine/core'
import { IconArrowBackUp, IconSpeakerphone } from '@tabler/icons-react'
import type { ChatMessage } from '#features/chats/contract.ts'
import { lineOf } from '#features/chats/rules.ts'
import { CampaignLink } from '#features/customers/web/campaign-link.tsx'
import { NoteBubble } from '#features/customers/web/note/note-bubble.tsx'
import { formatClock, formatDateTime } from '#lib/dates.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { discard, type Quoted, retry, sendAgain } from '../outbox.ts'
import { Ticks } from '../ticks.tsx'
import { BubbleContent } from './bubble-content.tsx'
import type { Entry } from './timeline.ts'
import styles from './bubble.module.css'

interface BubbleProps {
	entry: Entry
	number: string
	/** The customer's name. */
	name: string
	/** True if free text can be sent. Otherwise neither Reply nor Retry is offered. */
	isOpen: boolean
	onReply: (quoted: Quoted) => void
	/** Scrolls to the message that this one quotes. */
	onShow: (id: string) => void
}

/** Renders one message, the customer's on the left and the account's on the right, or a note. */
export function Bubble({ entry, number, name, isOpen, onReply, onShow }: BubbleProps) {
	const { message, outgoing, note, follows } = entry
	if (note) return <NoteBubble note={note} follows={follows} />
	const isOwn = message.from === 'me'
	const canReply = isOpen && !outgoing && !message.isRevoked && message.status !== 'failed'
	return (
		<Group
			className={styles.line}
			gap={4}
			align="flex-start"
			wrap="nowrap"
			data-from={message.from}
			data-follows={follows}
		>
			<Stack className={styles.column} gap={0} align="flex-start">
				<article className={styles.bubble} data-narrow={isNarrow(message)}>
					<span className="visually-hidden">{isOwn ? 'You' : <bdi>{name}</bdi>}:</span>
					{message.campaign && <SentBy campaign={message.campaign} />}
					{message.replyTo && !message.isRevoked && <Quote replyTo={message.replyTo} onShow={onShow} />}
					<BubbleContent message={message} file={outgoing?.file ?? null} />
					<Group className={styles.meta} gap={6} justify="flex-end" wrap="nowrap">
						{message.isEdited && !message.isRevoked && <span>Edited</span>}
						{message.author && <UserText className="one-line" text={message.author} />}
						<time dateTime={message.timestamp} title={formatDateTime(message.timestamp)}>
							{formatClock(Date.parse(message.timestamp))}
						</time>
						{message.isAutomatic && <span>Automatic</span>}
						{message.isFromPhone && <span>Sent from the phone</span>}
						{isOwn && !message.isFromPhone && <Ticks status={message.status} />}
					</Group>
				</article>
				<Reactions reactions={message.reactions} />
				{isOwn && message.status === 'failed' && (
					<FailedFooter
						error={message.error}
						onRetry={retryOf(entry, number, isOpen)}
						onDiscard={outgoing ? () => discard(outgoing) : null}
					/>
				)}
			</Stack>
			{canReply && (
				<ActionIcon
					className={styles.reply}
					color="gray"
					size={32}
					aria-label={`Reply to: ${lineOf(message).slice(0, 60)}`}
					onClick={() => onReply({ id: message.id, text: lineOf(message) })}
				>
					<IconArrowBackUp size={18} aria-hidden />
				</ActionIcon>
			)}
		</Group>
	)
}

/** Returns true for a message whose text must not be wider than its picture, location or card. */
function isNarrow({ isRevoked, mediaUrl, mediaState, location, cards }: Entry['message']): boolean {
	return !isRevoked && (mediaUrl !== null || mediaState !== null || location !== null || cards.length > 0)
}

function Reactions({ reactions }: { reactions: Entry['message']['reactions'] }) {
	if (reactions.length === 0) return null
	const emojis = reactions.map(({ emoji }) => emoji).join(' ')
	return (
		<span className={styles.reactions}>
			<span className="visually-hidden">Reaction: </span>
			<bdi>{emojis}</bdi>
		</span>
	)
}

/** Returns a function that sends a failed message again; null for one that cannot be repeated, such as a template. */
function retryOf({ message, outgoing }: Entry, number: string, isOpen: boolean): (() => void) | null {
	if (outgoing) return () => retry(outgoing)
	const canRepeat = isOpen && ['text', 'image', 'video', 'document'].includes(message.kind)
	return canRepeat ? () => void sendAgain(number, message) : null
}

interface FailedFooterProps {
	error: string | null
	/** Null if the message cannot be sent again. */
	onRetry: (() => void) | null
	/** Null for a message that the server has stored. */
	onDiscard: (() => void) | null
}

/** Renders the error, Retry and Delete under a failed message. */
function FailedFooter({ error, onRetry, onDiscard }: FailedFooterProps) {
	return (
		<Group className={styles.failed} gap="2px 10px" align="stretch" justify="flex-end">
			<span>{error ?? 'Failed to send message'}</span>
			{onRetry && (
				<Anchor component="button" type="button" underline="always" onClick={onRetry}>
					Retry
				</Anchor>
			)}
			{onDiscard && (
				<Anchor component="button" type="button" underline="always" onClick={onDiscard}>
					Delete
				</Anchor>
			)}
		</Group>
	)
}

interface QuoteProps {
	replyTo: NonNullable<ChatMessage['replyTo']>
	onShow: (id: string) => void
}

/** Renders the name of a message's campaign as a link to its report. */
function SentBy({ campaign: { _id, name } }: { campaign: NonNullable<ChatMessage['campaign']> }) {
	return (
		<CampaignLink className={styles.campaign} id={_id}>
			<IconSpeakerphone size={16} aria-hidden />
			<span className="visually-hidden">Campaign: </span>
			<UserText className="one-line" text={name} />
		</CampaignLink>
	)
}

/**
 * Renders the quoted message: as a button that scrolls to it, as a link to its campaign once its own row is deleted, or as plain
 * text.
 */
function Quote({ replyTo: { id, text, campaign }, onShow }: QuoteProps) {
	const words = (
		<>
			{campaign && (
				<b>
					<UserText text={campaign.name} />
				</b>
			)}
			<bdi className={styles.quoted}>{text || 'Message'}</bdi>
		</>
	)
	if (id)
		return (
			<button type="button" className={styles.quote} onClick={() => onShow(id)}>
				<span className="visually-hidden">Reply to: </span>
				{words}
			</button>
		)
	if (!campaign) return <div className={styles.quote}>{words}</div>
	return (
		<CampaignLink className={styles.quote} id={campaign._id}>
			{words}
		</CampaignLink>
	)
}

import { singleMessageWords } from '#features/messages/server/failure-words.ts'
import { displayNumber, isUserId } from '#lib/phone.ts'
import { chats, type ChatContact, type ChatMessage } from '../contract.ts'
import { lineOf } from '../rules.ts'
import type { Chat, ChatMessageRow, Mark } from './queries.ts'

export function presentChat(chat: Chat): ChatContact {
	return {
		number: chat.key,
		name: chat.contactName ?? chat.profileName ?? (isUserId(chat.key) ? 'WhatsApp user' : displayNumber(chat.key)),
		lastMessage: chat.lastLine,
		timestamp: chat.lastAt.toISOString(),
		unread: chat.unread,
		type: chat.contactName === null ? 'unknown' : 'contact',
		windowExpiresAt: chat.windowExpiresAt?.toISOString() ?? null,
		optedOut: chat.isOptedOut,
	}
}

/** What a message is shown with: the messages that are quoted, and what happened to it since. */
export interface Context {
	quoted: readonly ChatMessageRow[]
	marks: readonly Mark[]
}

export function presentMessage(message: ChatMessageRow, { quoted, marks }: Context): ChatMessage {
	const own = marks.filter(({ targetWamid }) => targetWamid === message.wamid)
	const { text, isEdited, isRevoked } = textOf(message, own)
	const { body, mediaState } = message
	const reactions = own.filter(({ kind, value }) => kind === 'reaction' && value !== '')
	return {
		id: String(message.id),
		from: message.direction === 'out' ? 'me' : 'other',
		kind: message.kind,
		text,
		mediaUrl: mediaState === 'ready' && !isRevoked ? chats.media.path.replace('{id}', String(message.id)) : null,
		mediaType: message.mediaType,
		mediaName: message.mediaName,
		mediaState: isRevoked ? null : mediaState,
		status: message.status,
		error: message.orderErrorCode === null ? message.error : singleMessageWords(message.orderErrorCode, message.error),
		timestamp: message.at.toISOString(),
		reactions: reactions.map(({ isOwn, value }) => ({ from: isOwn ? 'me' : 'other', emoji: value })),
		replyTo: replyOf(message, { quoted, marks }),
		isEdited,
		isRevoked,
		location: isRevoked ? null : (body.location ?? null),
		cards: isRevoked ? [] : (body.cards ?? []),
		components: body.components ?? null,
		requestId: message.requestId,
	}
}

/** The message's line in the list, after edits and revocations. */
export function lineOfMessage(message: ChatMessageRow, marks: readonly Mark[]): string {
	const own = marks.filter(({ targetWamid }) => targetWamid === message.wamid)
	return lineOf({ kind: message.kind, mediaName: message.mediaName, ...textOf(message, own) })
}

/** Only whoever wrote a message edits or revokes it. */
function textOf(message: ChatMessageRow, marks: readonly Mark[]) {
	const isAuthors = ({ isOwn }: Mark) => isOwn === (message.direction === 'out')
	const edit = marks.find((mark) => mark.kind === 'edit' && isAuthors(mark))
	const isRevoked = marks.some((mark) => mark.kind === 'revoke' && isAuthors(mark))
	const text = isRevoked ? '' : (edit?.value ?? message.body.text ?? '')
	return { text, isEdited: edit !== undefined && !isRevoked, isRevoked }
}

function replyOf(message: ChatMessageRow, { quoted, marks }: Context): ChatMessage['replyTo'] {
	const found = quoted.find(({ wamid }) => wamid === message.replyWamid)
	if (message.replyWamid && found) return { id: String(found.id), text: lineOfMessage(found, marks), campaignId: null }
	const { occasion } = message.body
	if (message.replyCampaignId === null) return occasion ? { id: null, text: occasion, campaignId: null } : null
	return { id: null, text: message.replyText ?? '', campaignId: String(message.replyCampaignId) }
}

import { singleMessageWords } from '#features/delivery/server/message/failure-words.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { findComponent, componentsAsRead } from '#features/templates/values.ts'
import { displayNumber, isUserId } from '#lib/phone/phone.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { mimeTypeOf } from '#lib/server/files/mime-types.ts'
import { chats, type ChatContact, type ChatMessage } from '../contract.ts'
import { isAutomaticId, lineOf } from '../rules.ts'
import type { ChatMessageRow, LastSent, MessageBody } from './history-queries.ts'
import type { Chat, Mark } from './queries.ts'

export function presentChat(chat: Chat, last: LastSent | null): ChatContact {
	return {
		number: chat.key,
		name: chat.contactName ?? chat.profileName ?? (isUserId(chat.key) ? 'WhatsApp user' : displayNumber(chat.key)),
		lastMessage: chat.lastLine,
		lastStatus: last && !last.isFromPhone ? last.status : null,
		isLastFromPhone: last?.isFromPhone ?? false,
		lastAuthor: last?.author ?? null,
		timestamp: chat.lastAt?.toISOString() ?? null,
		unread: chat.unread,
		type: chat.contactName === null ? 'unknown' : 'contact',
		windowExpiresAt: chat.windowExpiresAt?.toISOString() ?? null,
		optedOut: chat.isOptedOut,
		assignee: chat.assignee,
		isClosed: chat.isClosed,
	}
}

/** Data that is shown with messages: the quoted messages, and reactions, edits and revocations. */
export interface Context {
	quoted: readonly ChatMessageRow[]
	marks: readonly Mark[]
}

/** Returns the message's id on the screen. */
function idOf({ isOwn, id, seq }: ChatMessageRow): string {
	return isOwn ? String(id) : callbackData({ campaignId: id, seq })
}

function bodyOf({ body, campaign }: ChatMessageRow): MessageBody {
	if (!campaign) return body
	const components = componentsAsRead(campaign)
	return { text: findComponent(components, 'BODY')?.text ?? '', components }
}

export function presentMessage(message: ChatMessageRow, { quoted, marks }: Context): ChatMessage {
	const own = marks.filter(({ targetWamid }) => targetWamid === message.wamid)
	const { text, isEdited, isRevoked } = textOf(message, own)
	const body = bodyOf(message)
	const { mediaState, mediaType, campaign } = message
	const mediaName = mediaNameOf(message)
	const mediaPath = chats.media.path.replace('{id}', idOf(message))
	const reactions = own.filter(({ kind, value }) => kind === 'reaction' && value !== '')
	return {
		id: idOf(message),
		from: message.direction === 'out' ? 'me' : 'other',
		kind: message.kind,
		text,
		mediaUrl: mediaState === 'ready' && !isRevoked ? mediaPath : null,
		mediaType: mediaType ?? (mediaName && message.kind === 'template' ? mimeTypeOf(mediaName) : null),
		mediaName,
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
		cardMedia: (message.cardFiles ?? []).map((file, card) =>
			file === null || isRevoked ? null : { url: `${mediaPath}?card=${card + 1}`, type: mimeTypeOf(file) },
		),
		campaign: campaign && { _id: String(message.id), name: campaign.name },
		requestId: message.requestId,
		isFromPhone: message.origin !== null && message.direction === 'out',
		author: message.author,
		isAutomatic: isAutomaticId(message.requestId),
	}
}

/** Returns the message's line in the list, after edits and revocations. */
export function lineOfMessage(message: ChatMessageRow, marks: readonly Mark[]): string {
	const own = marks.filter(({ targetWamid }) => targetWamid === message.wamid)
	return lineOf({ kind: message.kind, mediaName: mediaNameOf(message), ...textOf(message, own) })
}

function mediaNameOf({ mediaName }: ChatMessageRow): string | null {
	return mediaName && nameInKey(mediaName)
}

/** Returns the text after edits and revocations, of which only the author's own apply. */
function textOf(message: ChatMessageRow, marks: readonly Mark[]) {
	const isAuthors = ({ isOwn }: Mark) => isOwn === (message.direction === 'out')
	const edit = marks.find((mark) => mark.kind === 'edit' && isAuthors(mark))
	const isRevoked = marks.some((mark) => mark.kind === 'revoke' && isAuthors(mark))
	const text = isRevoked ? '' : (edit?.value ?? bodyOf(message).text ?? '')
	return { text, isEdited: edit !== undefined && !isRevoked, isRevoked }
}

function replyOf(message: ChatMessageRow, { quoted, marks }: Context): ChatMessage['replyTo'] {
	const found = quoted.find(({ wamid }) => wamid === message.replyWamid)
	if (message.replyWamid && found) {
		const campaign = found.campaign && { _id: String(found.id), name: found.campaign.name }
		return { id: idOf(found), text: lineOfMessage(found, marks), campaign }
	}
	const { replyCampaign: campaign, replyText, body } = message
	if (campaign) return { id: null, text: replyText ?? '', campaign: { _id: String(campaign.id), name: campaign.name } }
	return body.occasion ? { id: null, text: body.occasion, campaign: null } : null
}

import type { Note } from '#features/customers/contract.ts'
import type { ViewCounts } from '#features/inbox/contract.ts'
import type { ChatContact, ChatMessage } from '../contract.ts'

/** A chat's loaded messages, oldest first, without a gap up to the newest. */
export interface Conversation {
	messages: ChatMessage[]
	/** True if older ones can be loaded. */
	hasMore: boolean
	windowExpiresAt: string | null
	contact: ChatContact
	/** Notes about the customer, the newest first. */
	notes: Note[]
}

/**
 * Merges the newest page into the loaded messages. Returns only the page when it has all messages, or when it does not
 * overlap the loaded ones, as messages between them may be missing.
 */
export function mergeNewest(old: Conversation | undefined, page: Conversation): Conversation {
	const [first] = page.messages
	const known = new Set(old?.messages.map(({ id }) => id))
	const meet = page.hasMore && page.messages.some(({ id }) => known.has(id))
	if (!old || !first || !meet) return page
	const fresh = new Set(page.messages.map(({ id }) => id))
	// `<=`, because WhatsApp's timestamps are whole seconds, and neighbours often share one.
	const older = old.messages.filter(({ id, timestamp }) => !fresh.has(id) && timestamp <= first.timestamp)
	return {
		...page,
		messages: [...older, ...page.messages],
		hasMore: older.length > 0 ? old.hasMore : page.hasMore,
	}
}

export function prependOlder(old: Conversation, page: Pick<Conversation, 'messages' | 'hasMore'>): Conversation {
	const known = new Set(old.messages.map(({ id }) => id))
	const older = page.messages.filter(({ id }) => !known.has(id))
	return {
		...old,
		messages: [...older, ...old.messages],
		hasMore: page.hasMore && page.messages.length > 0,
	}
}

/** Adds a message that this browser has just sent, unless a live update has already added the message. */
export function withMessage(old: Conversation, message: ChatMessage): Conversation {
	const isKnown = old.messages.some(({ id }) => id === message.id)
	// The live update's copy may be newer than the response, so it stays.
	return isKnown ? old : { ...old, messages: [...old.messages, message] }
}

/** The loaded chats, latest first. */
export interface ChatPage {
	contacts: ChatContact[]
	hasMore: boolean
	unreadChats: number
	counts: ViewCounts
}

/**
 * Merges the first page into the loaded chats. Returns only the page when it has all chats, or when no chat has the
 * same time in both, as chats between them may be missing.
 */
export function mergeChats(old: ChatPage | undefined, page: ChatPage): ChatPage {
	const before = new Map(old?.contacts.map((chat) => [chat.number, chat.timestamp]))
	const meet = page.hasMore && page.contacts.some(({ number, timestamp }) => before.get(number) === timestamp)
	if (!old || !meet) return page
	const fresh = new Set(page.contacts.map(({ number }) => number))
	const last = page.contacts.at(-1)?.timestamp ?? ''
	const rest = old.contacts.filter(({ number, timestamp }) => !fresh.has(number) && (timestamp ?? '') <= last)
	return { ...page, contacts: [...page.contacts, ...rest], hasMore: rest.length > 0 ? old.hasMore : page.hasMore }
}

export function appendChats(old: ChatPage, page: ChatPage): ChatPage {
	const known = new Set(old.contacts.map(({ number }) => number))
	const more = page.contacts.filter(({ number }) => !known.has(number))
	return { ...page, contacts: [...old.contacts, ...more], hasMore: page.hasMore && page.contacts.length > 0 }
}

/** Returns the page with this chat's unread count set to 0. */
export function withRead(old: ChatPage, number: string): ChatPage {
	const wasUnread = old.contacts.some((chat) => chat.number === number && chat.unread > 0)
	if (!wasUnread) return old
	return {
		...old,
		contacts: old.contacts.map((chat) => (chat.number === number ? { ...chat, unread: 0 } : chat)),
		unreadChats: Math.max(0, old.unreadChats - 1),
	}
}

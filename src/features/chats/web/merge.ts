import type { ChatContact, ChatMessage } from '../contract.ts'

/** A chat's messages as far as they are loaded, oldest first, without a hole up to the newest. */
export interface Conversation {
	messages: ChatMessage[]
	/** There are older ones. */
	hasMore: boolean
	windowExpiresAt: string | null
}

/** The newest page over what was loaded before. Where the two do not meet, only the page is kept. */
export function mergeNewest(old: Conversation | undefined, page: Conversation): Conversation {
	const [first] = page.messages
	const known = new Set(old?.messages.map(({ id }) => id))
	const meet = page.hasMore && page.messages.some(({ id }) => known.has(id))
	if (!old || !first || !meet) return page
	const fresh = new Set(page.messages.map(({ id }) => id))
	// The network's times are whole seconds, so that neighbours often share one.
	const older = old.messages.filter(({ id, timestamp }) => !fresh.has(id) && timestamp <= first.timestamp)
	return {
		...page,
		messages: [...older, ...page.messages],
		hasMore: older.length > 0 ? old.hasMore : page.hasMore,
	}
}

export function prependOlder(old: Conversation, page: Omit<Conversation, 'windowExpiresAt'>): Conversation {
	const known = new Set(old.messages.map(({ id }) => id))
	const older = page.messages.filter(({ id }) => !known.has(id))
	return {
		...old,
		messages: [...older, ...old.messages],
		hasMore: page.hasMore && page.messages.length > 0,
	}
}

/** Adds a message that this browser has just sent, or replaces it if a live update brought it first. */
export function withMessage(old: Conversation, message: ChatMessage): Conversation {
	const isKnown = old.messages.some(({ id }) => id === message.id)
	// What a live update brought may be ahead of the answer.
	return isKnown ? old : { ...old, messages: [...old.messages, message] }
}

/** The chats as far as they are loaded, the latest first. */
export interface ChatPage {
	contacts: ChatContact[]
	hasMore: boolean
	unreadChats: number
}

/** The first page over what was loaded before. A chat that is the same in both shows that nothing is missing between. */
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

/** With this chat's messages read. */
export function withRead(old: ChatPage, number: string): ChatPage {
	const wasUnread = old.contacts.some((chat) => chat.number === number && chat.unread > 0)
	if (!wasUnread) return old
	return {
		...old,
		contacts: old.contacts.map((chat) => (chat.number === number ? { ...chat, unread: 0 } : chat)),
		unreadChats: Math.max(0, old.unreadChats - 1),
	}
}

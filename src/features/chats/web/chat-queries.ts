import { queryOptions } from '@tanstack/react-query'
import { customers } from '#features/customers/contract.ts'
import { isNarrowed, type ListFilter } from '#features/inbox/web/use-list-filter.ts'
import { call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
import { chats, type ChatMessage } from '../contract.ts'
import {
	appendChats,
	mergeChats,
	mergeNewest,
	prependOlder,
	withMessage,
	withRead,
	type ChatPage,
	type Conversation,
} from './merge.ts'

const PAGE_MESSAGES = 50
const PAGE_CHATS = 50
/** Maximum numbers of messages and chats that one refresh fetches, even if more are loaded. */
const MAX_REFRESHED_MESSAGES = 100
const MAX_REFRESHED_CHATS = 200
/** Highest `limit` of the API for messages. */
const MAX_SYNCED_MESSAGES = 1000

const LISTS = 'chat-list'
const CONVERSATIONS = 'chat-messages'

/** Zero, because live updates reach only the data on screen: data that returns to the screen is fetched again. */
const staleTime = 0

// Each refresh fetches the newest page and merges it into the loaded chats, so that a long list is not fetched again.
export function chatList(filter: ListFilter & { search: string }) {
	const queryKey = [LISTS, filter] as const
	return queryOptions({
		staleTime,
		queryKey,
		queryFn: async ({ signal }): Promise<ChatPage> => {
			const loaded = queryClient.getQueryData<ChatPage>(queryKey)?.contacts.length ?? 0
			const limit = between(loaded, PAGE_CHATS, MAX_REFRESHED_CHATS)
			const page = await call(chats.contacts, { query: { ...filter, limit }, signal })
			// A chat that has left a view, such as a closed one, is not in the page.
			return isNarrowed(filter) ? page : mergeChats(queryClient.getQueryData(queryKey), page)
		},
	})
}

export async function loadMoreChats(filter: ListFilter & { search: string }): Promise<void> {
	const { queryKey } = chatList(filter)
	const last = queryClient.getQueryData(queryKey)?.contacts.at(-1)
	if (!last?.timestamp) return
	const query = { ...filter, limit: PAGE_CHATS, before: last.timestamp, beforeNumber: last.number }
	const page = await call(chats.contacts, { query })
	queryClient.setQueryData(queryKey, (old: ChatPage | undefined) => old && appendChats(old, page))
}

export function conversation(number: string) {
	const queryKey = [CONVERSATIONS, number] as const
	return queryOptions({
		staleTime,
		queryKey,
		queryFn: async ({ signal }): Promise<Conversation> => {
			const limit = between(loadedMessages(number), PAGE_MESSAGES, MAX_REFRESHED_MESSAGES)
			const page = await call(chats.messages, { params: { number }, query: { limit }, signal })
			return mergeNewest(queryClient.getQueryData(queryKey), page)
		},
	})
}

export async function loadOlderMessages(number: string): Promise<void> {
	const { queryKey } = conversation(number)
	const before = queryClient.getQueryData(queryKey)?.messages[0]?.id
	if (before === undefined) return
	const page = await call(chats.messages, { params: { number }, query: { limit: PAGE_MESSAGES, before } })
	queryClient.setQueryData(queryKey, (old: Conversation | undefined) => old && prependOlder(old, page))
}

function loadedMessages(number: string): number {
	return queryClient.getQueryData(conversation(number).queryKey)?.messages.length ?? 0
}

function between(count: number, min: number, max: number): number {
	return Math.min(Math.max(count, min), max)
}

/** Adds a message that this browser has sent, without waiting for the live update. */
export function showSent(number: string, message: ChatMessage): void {
	const { queryKey } = conversation(number)
	queryClient.setQueryData(queryKey, (old: Conversation | undefined) => old && withMessage(old, message))
	void refreshLists()
}

/** Removes the unread badge, then calls the server. */
export async function markRead(number: string): Promise<void> {
	queryClient.setQueriesData<ChatPage>({ queryKey: [LISTS] }, (old) => old && withRead(old, number))
	// After a failure the refresh restores the badge, and the next message marks the chat as read again.
	await call(chats.markRead, { body: { number } }).catch(() => refreshLists())
}

async function refreshLists(): Promise<void> {
	await queryClient.invalidateQueries({ queryKey: [LISTS] })
}

/**
 * Refetches the list and these chats, or all, if they are on screen; other chats are refetched when they are opened. Notes of
 * these chats are refetched in the customer's panel too.
 */
export async function refreshChats(numbers: readonly string[] | 'all'): Promise<void> {
	const keys = numbers === 'all' ? [[CONVERSATIONS]] : numbers.map((number) => [CONVERSATIONS, number])
	const panels = numbers === 'all' ? [] : numbers.map((number) => [customers.get.path, { number }])
	await Promise.all([
		refreshLists(),
		...[...keys, ...panels].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
	])
}

/** Refetches the open chat's messages. */
export async function refreshConversation(): Promise<void> {
	await queryClient.invalidateQueries({ queryKey: [CONVERSATIONS] })
}

/** Refetches the list; rejects if the call fails. */
export async function syncLists(): Promise<void> {
	await queryClient.refetchQueries({ queryKey: [LISTS], type: 'active' }, { throwOnError: true })
}

/**
 * Refetches the loaded messages of the open chat, at most `MAX_SYNCED_MESSAGES`, and drops the other chats from the
 * cache. Rejects if the call fails.
 */
export async function syncMessages(number: string | null): Promise<void> {
	queryClient.removeQueries({ queryKey: [CONVERSATIONS], type: 'inactive' })
	if (number === null) return
	const { queryKey } = conversation(number)
	const limit = between(loadedMessages(number), PAGE_MESSAGES, MAX_SYNCED_MESSAGES)
	const page = await call(chats.messages, { params: { number }, query: { limit } })
	queryClient.setQueryData(queryKey, (old: Conversation | undefined) => mergeNewest(old, page))
}

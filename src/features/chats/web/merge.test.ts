import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ChatContact, ChatMessage } from '../contract.ts'
import { appendChats, mergeChats, mergeNewest, prependOlder, withMessage, withRead, type ChatPage } from './merge.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 6, 0, second)).toISOString()

function message(id: number, given: Partial<ChatMessage> = {}): ChatMessage {
	return {
		id: String(id),
		from: 'other',
		text: `Message ${id}`,
		status: 'delivered',
		timestamp: at(id),
		...given,
	} as ChatMessage
}
const from = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, step) => message(first + step))
const page = (first: number, last: number, hasMore = true) => ({
	messages: from(first, last),
	hasMore,
	windowExpiresAt: null,
	contact: chat('919800000001', last),
})
const ids = ({ messages }: { messages: readonly ChatMessage[] }) => messages.map(({ id }) => Number(id))

suite('mergeNewest', () => {
	test('the first page is taken as it is', () => {
		assert.deepEqual(mergeNewest(undefined, page(5, 9)), page(5, 9))
	})

	test('a page that overlaps what is loaded keeps the older messages and takes the newer state of the others', () => {
		const old = mergeNewest(undefined, page(1, 9))
		const next = { ...page(6, 12), messages: from(6, 12).map((one) => ({ ...one, status: 'read' as const })) }
		const merged = mergeNewest(old, next)
		assert.deepEqual(
			ids(merged),
			from(1, 12).map(({ id }) => Number(id)),
		)
		assert.deepEqual(merged.messages[4]?.status, 'delivered')
		assert.deepEqual(merged.messages[5]?.status, 'read')
	})

	test('a page that does not meet what is loaded replaces it, as messages between are missing', () => {
		const merged = mergeNewest(mergeNewest(undefined, page(1, 9)), page(20, 30))
		assert.deepEqual(ids(merged), ids(page(20, 30)))
		assert.equal(merged.hasMore, true)
	})

	test('a page without older ones is the whole chat, and drops what the server no longer has', () => {
		const merged = mergeNewest(mergeNewest(undefined, page(1, 9)), page(3, 9, false))
		assert.deepEqual(ids(merged), ids(page(3, 9)))
		assert.equal(merged.hasMore, false)
	})

	test('a message of the same second as the first of the page stays where it was', () => {
		const old = mergeNewest(undefined, {
			...page(1, 4),
			messages: [message(1), message(2, { timestamp: at(3) }), message(3), message(4)],
		})
		assert.deepEqual(ids(mergeNewest(old, page(3, 5))), [1, 2, 3, 4, 5])
	})

	test('an earlier message that came late takes its place in the order of the page', () => {
		const old = mergeNewest(undefined, page(1, 4))
		const late = { ...page(2, 4), messages: [message(2), message(99, { timestamp: at(3) }), message(3), message(4)] }
		assert.deepEqual(ids(mergeNewest(old, late)), [1, 2, 99, 3, 4])
	})
})

test('prependOlder puts older messages first, each once', () => {
	const merged = prependOlder(mergeNewest(undefined, page(5, 9)), { messages: from(2, 5), hasMore: false })
	assert.deepEqual(ids(merged), [2, 3, 4, 5, 6, 7, 8, 9])
	assert.equal(merged.hasMore, false)
})

test('withMessage adds a sent message once, and leaves what a live update brought first', () => {
	const old = mergeNewest(undefined, page(1, 2))
	const sent = message(3, { from: 'me', status: 'sent' })
	const shown = withMessage(old, sent)
	assert.deepEqual(ids(shown), [1, 2, 3])
	const ahead = withMessage(old, { ...sent, status: 'read' })
	assert.equal(withMessage(ahead, sent), ahead)
})

function chat(number: string, second: number, unread = 0): ChatContact {
	return { number, name: number, timestamp: at(second), unread } as ChatContact
}
const chatPage = (contacts: ChatContact[], hasMore = true): ChatPage => ({ contacts, hasMore, unreadChats: 1 })
const numbers = (given: ChatPage) => given.contacts.map(({ number }) => number).join(' ')

suite('mergeChats', () => {
	const old = chatPage([chat('d', 9), chat('c', 8), chat('b', 7), chat('a', 6)])

	test('a chat that moved up appears once, and chats under the page stay', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('b', 20), chat('d', 9)]))), 'b d c a')
	})

	test('a page in which every chat has changed replaces the list, as chats between may be missing', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('f', 21), chat('e', 20)]))), 'f e')
	})

	test('a page without more replaces the whole list', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('d', 9)], false))), 'd')
	})
})

test('appendChats adds each chat once', () => {
	const old = chatPage([chat('d', 9), chat('c', 8)])
	assert.equal(numbers(appendChats(old, chatPage([chat('c', 8), chat('b', 7)], false))), 'd c b')
})

suite('withRead', () => {
	test('withRead clears the chat’s badge and counts one unread chat fewer', () => {
		const read = withRead(chatPage([chat('d', 9, 3), chat('c', 8)]), 'd')
		assert.deepEqual([read.contacts[0]?.unread, read.unreadChats], [0, 0])
	})

	test('withRead changes nothing for a chat without unread messages', () => {
		const old = chatPage([chat('d', 9)])
		assert.equal(withRead(old, 'd'), old)
	})
})

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
	notes: [],
})
const ids = ({ messages }: { messages: readonly ChatMessage[] }) => messages.map(({ id }) => Number(id))

suite('mergeNewest', () => {
	test('returns the first page unchanged', () => {
		assert.deepEqual(mergeNewest(undefined, page(5, 9)), page(5, 9))
	})

	test('keeps older messages and takes the newer state of the others from an overlapping page', () => {
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

	test('returns only the page when it does not overlap, because messages between may be missing', () => {
		const merged = mergeNewest(mergeNewest(undefined, page(1, 9)), page(20, 30))
		assert.deepEqual(ids(merged), ids(page(20, 30)))
		assert.equal(merged.hasMore, true)
	})

	test('returns only the page when it has no older messages, and drops messages that the server has deleted', () => {
		const merged = mergeNewest(mergeNewest(undefined, page(1, 9)), page(3, 9, false))
		assert.deepEqual(ids(merged), ids(page(3, 9)))
		assert.equal(merged.hasMore, false)
	})

	test('keeps the position of a message of the same second as the first of the page', () => {
		const old = mergeNewest(undefined, {
			...page(1, 4),
			messages: [message(1), message(2, { timestamp: at(3) }), message(3), message(4)],
		})
		assert.deepEqual(ids(mergeNewest(old, page(3, 5))), [1, 2, 3, 4, 5])
	})

	test('takes the position of a late earlier message from the page', () => {
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

test('withMessage adds a sent message once, and keeps the copy of an earlier live update', () => {
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
const chatPage = (contacts: ChatContact[], hasMore = true): ChatPage => ({
	contacts,
	hasMore,
	unreadChats: 1,
	counts: null,
})
const numbers = (given: ChatPage) => given.contacts.map(({ number }) => number).join(' ')

suite('mergeChats', () => {
	const old = chatPage([chat('d', 9), chat('c', 8), chat('b', 7), chat('a', 6)])

	test('returns a chat that moved up once, and keeps chats below the page', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('b', 20), chat('d', 9)]))), 'b d c a')
	})

	test('returns only the page when every chat in it has changed, because chats between may be missing', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('f', 21), chat('e', 20)]))), 'f e')
	})

	test('returns only the page when no more chats follow', () => {
		assert.equal(numbers(mergeChats(old, chatPage([chat('d', 9)], false))), 'd')
	})
})

test('appendChats adds each chat once', () => {
	const old = chatPage([chat('d', 9), chat('c', 8)])
	assert.equal(numbers(appendChats(old, chatPage([chat('c', 8), chat('b', 7)], false))), 'd c b')
})

suite('withRead', () => {
	test('clears the chat’s badge and reduces the number of unread chats by one', () => {
		const read = withRead(chatPage([chat('d', 9, 3), chat('c', 8)]), 'd')
		assert.deepEqual([read.contacts[0]?.unread, read.unreadChats], [0, 0])
	})

	test('returns the page unchanged for a chat without unread messages', () => {
		const old = chatPage([chat('d', 9)])
		assert.equal(withRead(old, 'd'), old)
	})
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ChatMessage } from '#features/chats/contract.ts'
import type { Note } from '#features/customers/contract.ts'
import type { OutgoingMessage } from '../outbox.ts'
import { countMissed, recentDay, timeline } from './timeline.ts'

function message(id: string, timestamp: string, given: Partial<ChatMessage> = {}): ChatMessage {
	return { id, from: 'other', text: id, timestamp, requestId: null, ...given } as ChatMessage
}

function outgoing(requestId: string, given: Partial<OutgoingMessage> = {}): OutgoingMessage {
	return {
		requestId,
		number: '919876543210',
		text: 'On its way',
		file: null,
		replyTo: null,
		createdAt: '2026-11-21T06:00:00.000Z',
		state: 'sending',
		error: null,
		...given,
	}
}

const note = (_id: string, createdAt: string): Note => ({ _id, text: 'Call after six', createdAt, author: 'Asha' })

const timelineOf = (messages: ChatMessage[], waiting: OutgoingMessage[]) =>
	timeline({ messages, notes: [], hasMore: false }, waiting)

const MORNING = '2026-11-21T05:00:00.000Z'

suite('timeline', () => {
	test('a message that is being sent comes last, as pending', () => {
		const entries = timelineOf([message('1', MORNING)], [outgoing('request-1')])
		assert.deepEqual(
			entries.map(({ key, message: { status, from } }) => [key, status, from]),
			[
				['1', undefined, 'other'],
				['request-1', 'pending', 'me'],
			],
		)
	})

	test('a confirmed message appears once, under the key that it had while it was sent', () => {
		const sent = message('7', MORNING, { from: 'me', requestId: 'request-1', status: 'sent' })
		const entries = timelineOf([sent], [outgoing('request-1', { state: 'failed' })])
		assert.deepEqual(
			entries.map(({ key, message: { status } }) => [key, status]),
			[['request-1', 'sent']],
		)
	})

	test('a message that could not be sent is failed, with its reason', () => {
		const [entry] = timelineOf([], [outgoing('request-1', { state: 'failed', error: 'No connection' })])
		assert.deepEqual([entry?.message.status, entry?.message.error], ['failed', 'No connection'])
	})

	test('a file that is being sent has the kind of its type', () => {
		const kinds = ['image/png', 'video/mp4', 'application/pdf'].map((type) => {
			const file = new File(['x'], 'file', { type })
			return timelineOf([], [outgoing('request-1', { file })])[0]?.message.kind
		})
		assert.deepEqual(kinds, ['image', 'video', 'document'])
	})

	test('a note is between the messages by its time, and one from before the loaded messages only when these are all', () => {
		const notes = [note('2', '2026-11-21T05:30:00.000Z'), note('1', '2026-11-21T04:00:00.000Z')]
		const messages = [message('1', MORNING), message('2', '2026-11-21T06:00:00.000Z')]
		const keysOf = (hasMore: boolean) => timeline({ messages, notes, hasMore }, []).map(({ key }) => key)
		assert.deepEqual(keysOf(true), ['1', 'note-2', '2'])
		assert.deepEqual(keysOf(false), ['note-1', '1', 'note-2', '2'])
	})

	test('a new day begins at midnight in India', () => {
		const entries = timelineOf(
			[
				message('1', '2026-11-20T18:29:59.000Z'),
				message('2', '2026-11-20T18:30:00.000Z'),
				message('3', '2026-11-21T18:29:59.000Z'),
			],
			[],
		)
		assert.deepEqual(
			entries.map(({ day }) => day),
			['2026-11-20', '2026-11-21', null],
		)
	})

	test('a message follows the previous one when side and day are the same', () => {
		const entries = timelineOf(
			[
				message('1', MORNING),
				message('2', MORNING),
				message('3', MORNING, { from: 'me' }),
				message('4', '2026-11-22T05:00:00.000Z', { from: 'me' }),
			],
			[],
		)
		assert.deepEqual(
			entries.map(({ follows }) => follows),
			[false, true, false, false],
		)
	})
})

test('recentDay names today and yesterday in Indian time, and no other day', () => {
	// 00:30 on the 22nd in India.
	const now = Date.parse('2026-11-21T19:00:00.000Z')
	assert.deepEqual(
		['2026-11-22', '2026-11-21', '2026-11-20'].map((day) => recentDay(day, now)),
		['Today', 'Yesterday', null],
	)
})

test('countMissed counts the customer’s messages after the last seen one', () => {
	const entries = timelineOf(
		[message('1', MORNING), message('2', MORNING), message('3', MORNING, { from: 'me' }), message('4', MORNING)],
		[],
	)
	assert.equal(countMissed(entries, '1'), 2)
	assert.equal(countMissed(entries, '4'), 0)
	assert.equal(countMissed(entries, null), 0)
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readDraftText, storeDraftText } from './draft-text.ts'

function store(initial: Record<string, string> = {}) {
	const kept = new Map(Object.entries(initial))
	return {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
	}
}

suite('draft texts', () => {
	test('each chat has its own draft, and an empty one is forgotten', () => {
		const kept = store()
		storeDraftText(kept, 'a', 'Hello')
		storeDraftText(kept, 'b', 'Bye')
		storeDraftText(kept, 'a', '')
		assert.deepEqual([readDraftText(kept, 'a'), readDraftText(kept, 'b')], ['', 'Bye'])
	})

	test('of too many drafts the oldest goes', () => {
		const kept = store()
		for (let number = 0; number <= 100; number++) storeDraftText(kept, String(number), 'text')
		assert.deepEqual([readDraftText(kept, '0'), readDraftText(kept, '1')], ['', 'text'])
	})

	test('an unreadable storage holds no drafts', () => {
		for (const text of ['{', '{}', '[1]', '[["a"]]', 'null'])
			assert.equal(readDraftText(store({ 'chat-drafts': text }), 'a'), '')
	})

	test('a full storage loses the draft without an error', () => {
		const full = {
			getItem: () => null,
			setItem: () => {
				throw new Error('full')
			},
		}
		assert.doesNotThrow(() => storeDraftText(full, 'a', 'Hello'))
	})
})

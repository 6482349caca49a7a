import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctTexts, shortenedWordsOf, wordsOf } from './words.ts'

test('wordsOf ignores case, punctuation, emoji and the spelling of keyboards', () => {
	assert.deepEqual(wordsOf('Please, DON’T  stop!'), ['please', 'dont', 'stop'])
	assert.deepEqual(wordsOf('कीमत? ＰＲＩＣＥ'), ['कीमत', 'price'])
	assert.deepEqual(wordsOf('നിർത്തുക'), wordsOf('നിര്‍ത്തുക'))
	assert.deepEqual(['👍 …', '❤️', '👨‍👩‍👧', '☎︎'].flatMap(wordsOf), [])
	assert.deepEqual(wordsOf('STOP ❤️ 1️⃣'), ['stop', '1'])
})

test('shortenedWordsOf shortens repeated letters, which wordsOf keeps', () => {
	assert.deepEqual(shortenedWordsOf('Pleaaase stoppp'), ['please', 'stop'])
	assert.deepEqual(wordsOf('XXXL'), ['xxxl'])
})

test('distinctTexts keeps the first spelling of texts with equal words', () => {
	assert.deepEqual(distinctTexts(['Nahi', 'bas', 'nahi!']), ['bas', 'Nahi'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctTexts, wordsOf } from './words.ts'

test('wordsOf ignores case, punctuation, repeated letters and the spelling of keyboards', () => {
	assert.deepEqual(wordsOf('Pleaaase, DON’T  stoppp!'), ['please', 'dont', 'stop'])
	assert.deepEqual(wordsOf('कीमत? ＰＲＩＣＥ'), ['कीमत', 'price'])
	assert.deepEqual(wordsOf('നിർത്തുക'), wordsOf('നിര്‍ത്തുക'))
	assert.deepEqual(wordsOf('👍 …'), [])
})

test('distinctTexts keeps the first spelling of texts with equal words', () => {
	assert.deepEqual(distinctTexts(['Nahi', 'bas', 'nahi!']), ['bas', 'Nahi'])
})

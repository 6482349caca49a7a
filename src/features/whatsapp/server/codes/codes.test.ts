import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_CODES } from './account-codes.ts'
import { chatWords, metaCode } from './codes.ts'
import { MESSAGE_CODES } from './message-codes.ts'

test('each code of Meta’s stands in the table once', () => {
	const codes = [...MESSAGE_CODES, ...ACCOUNT_CODES].flatMap((entry) => entry.codes)
	assert.equal(new Set(codes).size, codes.length)
})

test('each code that stops a campaign or a number says what to do then, and no other', () => {
	for (const { codes, scope, stop } of [...MESSAGE_CODES, ...ACCOUNT_CODES])
		assert.equal(stop !== undefined, scope === 'campaign' || scope === 'sender', String(codes))
})

test('metaCode takes a code from 200 to 299 as a missing permission, and one that is unknown as a refused message', () => {
	assert.equal(metaCode(200), metaCode(10))
	assert.equal(metaCode(299).scope, 'sender')
	assert.equal(metaCode(300).scope, 'message')
})

test('chatWords says what to do for codes that Meta words in its own terms, and else that WhatsApp refused the message', () => {
	for (const code of [1, 2, 131000, 131016, 131057, 133004]) assert.match(chatWords(code, 'Generic'), /Try again/)
	for (const code of [130403, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 135000])
		assert.doesNotMatch(chatWords(code, 'Generic user error'), /Generic/)
	assert.equal(chatWords(100, 'Invalid parameter'), 'WhatsApp did not accept this message: Invalid parameter')
	assert.equal(chatWords(987654, null), 'WhatsApp did not accept this message')
})

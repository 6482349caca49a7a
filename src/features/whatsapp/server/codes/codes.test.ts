import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_CODES } from './account-codes.ts'
import { chatWords, metaCode, stopReason } from './codes.ts'
import { MESSAGE_CODES } from './message-codes.ts'

test('each of Meta’s codes is in the tables once', () => {
	const codes = [...MESSAGE_CODES, ...ACCOUNT_CODES].flatMap((entry) => entry.codes)
	assert.equal(new Set(codes).size, codes.length)
})

test('codes have a stop reason exactly when they stop a campaign or a number', () => {
	for (const { codes, scope, stop } of [...MESSAGE_CODES, ...ACCOUNT_CODES])
		assert.equal(stop !== undefined, scope === 'campaign' || scope === 'sender', String(codes))
})

test('stopReason for an administrator names neither an administrator nor a resume that only the user can do', () => {
	for (const { codes, scope } of ACCOUNT_CODES.filter((entry) => entry.scope === 'sender'))
		for (const code of codes) {
			const { user, admin } = stopReason({ code, error: '' })
			assert.doesNotMatch(admin, /administrator|then resume\./, `${scope} ${code}`)
			assert.equal(/then resume\./.test(user), admin.includes('The user can then resume the campaigns.'), String(code))
		}
})

test('stopReason of an unknown code returns WhatsApp’s text and the code for both readers', () => {
	const words = 'Something new (code 987654)'
	assert.deepEqual(stopReason({ code: 987_654, error: 'Something new' }), { user: words, admin: words })
})

test('metaCode reads 200 to 299 as a missing permission, and an unknown code as a refused message', () => {
	assert.equal(metaCode(200), metaCode(10))
	assert.equal(metaCode(299).scope, 'sender')
	assert.equal(metaCode(300).scope, 'message')
})

test('chatWords returns advice for codes that Meta words in its own terms, and otherwise that WhatsApp refused the message', () => {
	for (const code of [1, 2, 131000, 131016, 131057, 133004]) assert.match(chatWords(code, 'Generic'), /Try again/)
	for (const code of [130403, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 135000])
		assert.doesNotMatch(chatWords(code, 'Generic user error'), /Generic/)
	assert.equal(chatWords(100, 'Invalid parameter'), 'WhatsApp did not accept this message: Invalid parameter')
	assert.equal(chatWords(987654, null), 'WhatsApp did not accept this message')
})

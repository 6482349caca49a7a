import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate, withoutOverrides } from './bidi.ts'

test('isolate wraps what is written from right to left, and leaves all else as it is', () => {
	assert.equal(isolate('فاطمة'), '\u2068فاطمة\u2069')
	assert.equal(isolate('Offer for محمد (VIP)'), '\u2068Offer for محمد (VIP)\u2069')
	assert.equal(isolate('דוד'), '\u2068דוד\u2069')
	for (const plain of ['Asha Rao', 'लक्ष्मी', 'தீபா', '🎉 20% off', '']) assert.equal(isolate(plain), plain)
})

test('isolate and withoutOverrides take away overrides, so that a name reads as it is stored', () => {
	assert.equal(isolate('invoice\u202Efdp.exe'), 'invoicefdp.exe')
	assert.equal(isolate('\u2067a\u2069 \u202Bb\u202C'), 'a b')
	assert.equal(withoutOverrides('\u2068a\u2069 \u202Bb\u202C'), '\u2068a\u2069 b')
	// A mark of direction belongs to the text.
	assert.equal(withoutOverrides('\u200Ea'), '\u200Ea')
})

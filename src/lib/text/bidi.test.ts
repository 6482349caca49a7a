import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate, withoutOverrides } from './bidi.ts'

test('isolate wraps right-to-left text, and leaves other text unchanged', () => {
	assert.equal(isolate('فاطمة'), '\u2068فاطمة\u2069')
	assert.equal(isolate('Offer for محمد (VIP)'), '\u2068Offer for محمد (VIP)\u2069')
	assert.equal(isolate('דוד'), '\u2068דוד\u2069')
	for (const plain of ['Asha Rao', 'लक्ष्मी', 'தீபா', '🎉 20% off', '']) assert.equal(isolate(plain), plain)
})

test('isolate and withoutOverrides remove overrides, so that a name displays as stored', () => {
	assert.equal(isolate('invoice\u202Efdp.exe'), 'invoicefdp.exe')
	assert.equal(isolate('\u2067a\u2069 \u202Bb\u202C'), 'a b')
	assert.equal(withoutOverrides('\u2068a\u2069 \u202Bb\u202C'), '\u2068a\u2069 b')
	// A direction mark is part of the text.
	assert.equal(withoutOverrides('\u200Ea'), '\u200Ea')
})

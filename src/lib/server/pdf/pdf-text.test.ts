import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPdf } from './pdf-document.ts'
import { widthOf, wrapText } from './pdf-text.ts'

const doc = openPdf({ title: 'Test', author: 'Test', madeAt: new Date(0), margin: 40 })
const style = { size: 8, color: '#000000' }
const wrap = (text: string, width: number) => wrapText({ doc, width }, text, style)

test('wrapText breaks between words into lines that fit', () => {
	const text = 'दीपावली की हार्दिक शुभकामनाएँ और Diwali offer தீபாவளி வாழ்த்துக்கள் 🎉'
	const lines = wrap(text, 90)
	assert.equal(lines.join(' '), text)
	assert.ok(lines.length > 2)
	for (const line of lines) assert.ok(widthOf(doc, line, style) <= 90, line)
})

test('wrapText breaks a word longer than the line between letters, never inside a syllable or emoji', () => {
	const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
	for (const word of ['शुभकामनाएँक्षत्रिय'.repeat(3), 'வாழ்த்துக்கள்'.repeat(3), '👨‍👩‍👧‍👦🇮🇳'.repeat(9), 'W'.repeat(60)]) {
		const lines = wrap(word, 60)
		assert.equal(lines.join(''), word)
		const whole = [...graphemes.segment(word)].map(({ segment }) => segment)
		assert.deepEqual(
			lines.flatMap((line) => [...graphemes.segment(line)].map(({ segment }) => segment)),
			whole,
		)
	}
})

test('wrapText keeps line breaks of the text and joins repeated spaces', () => {
	assert.deepEqual(wrap('14  MG Road\n\n  Pune ', 200), ['14 MG Road', 'Pune'])
})

test('wrapText removes invisible characters, and keeps joiners', () => {
	assert.deepEqual(wrap('\u200fAsha\u200b \u2068Rao\u2069\ufeff क्\u200dष', 200), ['Asha Rao क्\u200dष'])
})

test('widthOf measures Arabic and Urdu words in their own font, not as question marks', () => {
	for (const word of ['محمد', 'علی', 'ٹیکسٹائل'])
		assert.notEqual(widthOf(doc, word, style), widthOf(doc, '?'.repeat(word.length), style), word)
})

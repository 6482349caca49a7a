import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkify } from './links.ts'

const links = (text: string) => linkify(text).flatMap(({ href }) => href ?? [])

test('linkify finds web addresses and excludes the punctuation after them', () => {
	assert.deepEqual(linkify('See https://example.com/a?b=1. Thanks'), [
		{ text: 'See ', href: null },
		{ text: 'https://example.com/a?b=1', href: 'https://example.com/a?b=1' },
		{ text: '. Thanks', href: null },
	])
})

test('linkify returns every character of the text', () => {
	const text = 'a http://x.example, (https://y.example/z) b\nhttps://example.com'
	const pieces = linkify(text)
	assert.equal(pieces.map((piece) => piece.text).join(''), text)
})

for (const text of [
	'javascript:alert(1)',
	'data:text/html,<script>alert(1)</script>',
	'ftp://example.com',
	'https://',
	'https://localhost',
	'example.com',
])
	test(`linkify makes no link of ${text}`, () => assert.deepEqual(links(text), []))

test('linkify ends an address before quotes, angle brackets and characters that change the writing direction', () => {
	assert.deepEqual(links('https://example.com/"onmouseover="x'), ['https://example.com/'])
	assert.deepEqual(links('https://example.com/<b>'), ['https://example.com/'])
	assert.deepEqual(links('https://example.com/\u202Efdp.exe'), ['https://example.com/'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TYPE_BYTES, typeByContent } from './file-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const box = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0`)

test("typeByContent returns a file's type from its first bytes", () => {
	assert.equal(typeByContent(bytes('\xff\xd8\xff\xe0 rest')), 'image/jpeg')
	assert.equal(typeByContent(bytes('\x89PNG\r\n\x1a\n rest')), 'image/png')
	assert.equal(typeByContent(bytes('%PDF-1.7')), 'application/pdf')
	for (const brand of ['mp42', 'isom', 'avc1', 'M4V ']) assert.equal(typeByContent(box(brand)), 'video/mp4', brand)
	for (const brand of ['3gp4', '3gp5']) assert.equal(typeByContent(box(brand)), 'video/3gpp', brand)
})

test('typeByContent returns application/octet-stream for a file that WhatsApp does not carry', () => {
	for (const text of ['', '<svg/>', '<!doctype html>', 'MZ\x90', '\x89PNG', 'ftypmp42']) {
		assert.equal(typeByContent(bytes(text)), 'application/octet-stream', JSON.stringify(text))
	}
	for (const brand of ['qt  ', 'heic', 'avif']) {
		assert.equal(typeByContent(box(brand)), 'application/octet-stream', brand)
	}
})

test('typeByContent returns the same type for the first TYPE_BYTES as for the whole file', () => {
	const whole = Buffer.concat([box('mp42'), Buffer.alloc(1000, 1)])
	assert.equal(typeByContent(whole.subarray(0, TYPE_BYTES)), typeByContent(whole))
})

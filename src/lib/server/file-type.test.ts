import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileTypeOf } from './file-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const box = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0`)

test('a file is what its first bytes say', () => {
	assert.equal(fileTypeOf(bytes('\xff\xd8\xff\xe0 rest')), 'image/jpeg')
	assert.equal(fileTypeOf(bytes('\x89PNG\r\n\x1a\n rest')), 'image/png')
	assert.equal(fileTypeOf(bytes('%PDF-1.7')), 'application/pdf')
	for (const brand of ['mp42', 'isom', 'avc1', 'M4V ']) assert.equal(fileTypeOf(box(brand)), 'video/mp4', brand)
	for (const brand of ['3gp4', '3gp5', '3g2a']) assert.equal(fileTypeOf(box(brand)), 'video/3gpp', brand)
})

test('a file of another kind has no type, whatever it is called', () => {
	for (const text of ['', 'GIF89a', '<svg/>', '<!doctype html>', 'MZ\x90', '\x89PNG', 'ftypmp42', '\0\0\0\x18ftyp']) {
		assert.equal(fileTypeOf(bytes(text)), null, JSON.stringify(text))
	}
	for (const brand of ['qt  ', 'heic', 'avif', 'M4A ']) assert.equal(fileTypeOf(box(brand)), null, brand)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentError, attachmentType } from './attachment.ts'

const MB = 1024 * 1024
const NOT_ALLOWED = 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'

for (const { name, type, size, error } of [
	{ name: 'a.jpg', type: 'image/jpeg', size: 5 * MB, error: null },
	{ name: 'a.jpg', type: 'image/jpg', size: 1, error: null },
	{ name: 'a.png', type: 'image/png', size: 5 * MB + 1, error: 'File size exceeds 5MB limit' },
	{ name: 'a.mp4', type: 'video/mp4', size: 16 * MB, error: null },
	{ name: 'a.3gp', type: 'video/3gpp', size: 16 * MB + 1, error: 'File size exceeds 16MB limit' },
	{ name: 'a.pdf', type: 'application/pdf', size: 10 * MB, error: null },
	{ name: 'a.pdf', type: 'application/pdf', size: 10 * MB + 1, error: 'File size exceeds 10MB limit' },
	{ name: 'a.gif', type: 'image/gif', size: 1, error: NOT_ALLOWED },
	{ name: 'a.svg', type: 'image/svg+xml', size: 1, error: NOT_ALLOWED },
	{ name: 'a.pdf.exe', type: '', size: 1, error: NOT_ALLOWED },
])
	test(`attachmentError of ${name} (${type || 'no type'}, ${size} bytes) is ${error ?? 'none'}`, () =>
		assert.equal(attachmentError({ name, type, size }), error))

test('attachmentType uses the file name extension when the type is unknown, and otherwise the type', () => {
	assert.equal(attachmentType({ name: 'clip.3GP', type: '' }), 'video/3gpp')
	assert.equal(attachmentType({ name: 'page.html.pdf', type: 'text/html' }), null)
})

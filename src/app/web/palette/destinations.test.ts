import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, screensFor } from './destinations.ts'

test('screensFor lists only screens of the role, whatever is typed', () => {
	assert.ok(screensFor('user', '').every(({ to }) => !to.startsWith('/admin/')))
	assert.deepEqual(
		screensFor('user', 'pricing').map(({ to }) => to),
		[],
	)
	assert.deepEqual(
		screensFor('admin', 'pric man').map(({ to }) => to),
		['/admin/pricing/management'],
	)
})

test('screensFor finds the screens that open from Manage Contacts', () => {
	assert.deepEqual(
		['tags', 'opt', 'privacy'].flatMap((text) => screensFor('user', text).map(({ to }) => to)),
		['/contact/tags-and-fields', '/contact/opt-outs', '/contact/privacy'],
	)
})

test('matches returns true only when each typed word begins a word of the name, in any order and case', () => {
	assert.ok(matches('diwali_offer 2026', 'OFFER diw'))
	assert.ok(matches('Diwali offer', ''))
	assert.ok(!matches('Diwali offer', 'wali'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Seat } from '#lib/endpoint.ts'
import { matches, screensFor } from './destinations.ts'

const admin = { role: 'admin', seat: 'owner' } as const
const pathsFor = (seat: Seat, text: string) => screensFor({ role: 'user', seat }, text).map(({ to }) => to)
const owner = { role: 'user', seat: 'owner' } as const

test('screensFor lists only screens of the role, whatever is typed', () => {
	assert.ok(screensFor(owner, '').every(({ to }) => !to.startsWith('/admin/')))
	assert.deepEqual(
		screensFor(owner, 'pricing').map(({ to }) => to),
		[],
	)
	assert.deepEqual(
		screensFor(admin, 'pric man').map(({ to }) => to),
		['/admin/pricing/management'],
	)
})

test('screensFor lists only screens that the seat opens', () => {
	assert.deepEqual([pathsFor('owner', 'developers'), pathsFor('manager', 'developers')], [['/developers'], []])
	assert.deepEqual([pathsFor('owner', 'people'), pathsFor('manager', 'people')], [['/settings?part=people'], []])
	assert.deepEqual(pathsFor('manager', 'activity'), ['/settings?part=activity'])
	assert.deepEqual([pathsFor('agent', 'chats'), pathsFor('agent', 'contact')], [['/user/live/chats'], []])
})

test('screensFor finds the screens that open from Manage Contacts', () => {
	assert.deepEqual(
		['tags', 'opt', 'privacy'].flatMap((text) => screensFor(owner, text).map(({ to }) => to)),
		['/contact/tags-and-fields', '/contact/opt-outs', '/contact/privacy'],
	)
})

test('matches returns true only when each typed word begins a word of the name, in any order and case', () => {
	assert.ok(matches('diwali_offer 2026', 'OFFER diw'))
	assert.ok(matches('Diwali offer', ''))
	assert.ok(!matches('Diwali offer', 'wali'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#lib/durations.ts'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const ago = (minutes: number) => relativeTime(new Date(now - minutes * MINUTE_MS).toISOString(), now)

test('relativeTime returns minutes, hours and days, and a date after that', () => {
	assert.equal(ago(0.9), 'Just now')
	assert.equal(ago(1), '1m ago')
	assert.equal(ago(59.9), '59m ago')
	assert.equal(ago(60), '1h ago')
	assert.equal(ago(24 * 60 - 1), '23h ago')
	assert.equal(ago(24 * 60), '1d ago')
	assert.equal(ago(7 * 24 * 60 - 1), '6d ago')
	assert.match(ago(7 * 24 * 60), /^14 Nov 2026$/)
})

test('relativeTime returns no negative age when the server’s clock is fast', () => assert.equal(ago(-3), 'Just now'))

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowLeft } from './window-time.ts'

const now = Date.parse('2026-11-21T10:00:00.000Z')
const inMs = (ms: number) => new Date(now + ms).toISOString()

for (const { title, expiresAt, left } of [
	{ title: 'without a message from them there is no window', expiresAt: null, left: null },
	{ title: 'hours and minutes are shown', expiresAt: inMs((3 * 60 + 12) * 60_000 + 30_000), left: '3h 12m left' },
	{ title: 'a whole day is 24 hours', expiresAt: inMs(24 * 3_600_000), left: '24h 0m left' },
	{ title: 'under an hour only minutes are shown', expiresAt: inMs(59 * 60_000), left: '59m left' },
	{ title: 'the last minute counts as one', expiresAt: inMs(400), left: '1m left' },
	{ title: 'at its end the window is closed', expiresAt: inMs(0), left: null },
	{ title: 'a window of the past is closed', expiresAt: inMs(-60_000), left: null },
])
	test(`windowLeft: ${title}`, () => assert.equal(windowLeft(expiresAt, now), left))

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#lib/durations.ts'
import { windowLeft } from './window-time.ts'

const now = Date.parse('2026-11-21T10:00:00.000Z')
const inMs = (ms: number) => new Date(now + ms).toISOString()

for (const { title, expiresAt, left } of [
	{ title: 'null for a customer who has not written', expiresAt: null, left: null },
	{ title: 'hours and minutes', expiresAt: inMs((3 * 60 + 12) * MINUTE_MS + 30_000), left: '3h 12m left' },
	{ title: '24 hours for a whole day', expiresAt: inMs(DAY_MS), left: '24h 0m left' },
	{ title: 'only minutes below an hour', expiresAt: inMs(59 * MINUTE_MS), left: '59m left' },
	{ title: 'one minute for less than a minute', expiresAt: inMs(400), left: '1m left' },
	{ title: 'null when the window ends', expiresAt: inMs(0), left: null },
	{ title: 'null after the window has ended', expiresAt: inMs(-60_000), left: null },
])
	test(`windowLeft returns ${title}`, () => assert.equal(windowLeft(expiresAt, now), left))

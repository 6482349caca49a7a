import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterQuietHours } from './sending-rules.ts'

const after = (at: string, from: string, until: string) =>
	new Date(afterQuietHours(Date.parse(`2026-11-${at}+05:30`), { from, until })).toISOString()

test('afterQuietHours returns the end of quiet hours within a day, and the given time before and after them', () => {
	assert.equal(after('24T13:00:00', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
	assert.equal(after('24T14:29:59', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
	assert.equal(after('24T12:59:59', '13:00', '14:30'), '2026-11-24T07:29:59.000Z')
	assert.equal(after('24T14:30:00', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
})

test('afterQuietHours over midnight returns the next morning in the evening, and the same morning after midnight', () => {
	assert.equal(after('24T21:00:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(after('25T00:10:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(after('25T09:00:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(after('25T20:59:00', '21:00', '09:00'), '2026-11-25T15:29:00.000Z')
})

test('afterQuietHours changes nothing without quiet hours', () => {
	assert.equal(afterQuietHours(7, null), 7)
})

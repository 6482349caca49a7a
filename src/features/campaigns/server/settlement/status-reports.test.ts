import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReport } from './status-reports.ts'

const report = { id: 'wamid.1', timestamp: '1790000000', recipient_id: '919876543210' }

test('readReport takes a voice message that was played for one that was read', () => {
	const read = readReport({ ...report, status: 'played' })
	assert.deepEqual([read?.status, read?.errorCode, read?.at.getTime()], ['read', null, 1_790_000_000_000])
})

test('readReport returns null for a report without a wamid, and for a word that is no status', () => {
	assert.equal(readReport({ ...report, id: undefined, status: 'sent' }), null)
	for (const status of ['deleted', 'warning', 'constructor', undefined])
		assert.equal(readReport({ ...report, status }), null, String(status))
})

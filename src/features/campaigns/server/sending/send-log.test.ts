import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWireLog, removeStaleWireLogs, takeWireLog } from './send-log.ts'

test('what was noted is known to whoever takes over', () => {
	const worker = randomUUID()
	const log = openWireLog(worker)
	log.note(4_000_000_001, 7)
	log.note(4_000_000_001, 8)
	assert.deepEqual(takeWireLog(worker), new Set(['4000000001:7', '4000000001:8']))
})

test('a worker that was taken over can hand nothing over any more', () => {
	const worker = randomUUID()
	const log = openWireLog(worker)
	takeWireLog(worker)
	assert.throws(() => log.note(1, 1), /taken over/)
})

test('nothing is known of a worker without a log, be it closed, taken or of another machine', () => {
	const worker = randomUUID()
	openWireLog(worker).close()
	assert.equal(takeWireLog(worker), null)
	assert.equal(takeWireLog(randomUUID()), null)
})

test('a log that nobody has written to for a day is removed, a fresh one stays', () => {
	const worker = randomUUID()
	openWireLog(worker)
	removeStaleWireLogs()
	assert.notEqual(takeWireLog(worker), null)
	openWireLog(worker)
	const name = readdirSync(tmpdir()).find((entry) => entry.endsWith(worker)) ?? ''
	utimesSync(join(tmpdir(), name), 0, 0)
	removeStaleWireLogs()
	assert.equal(takeWireLog(worker), null)
})

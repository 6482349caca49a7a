import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fs, {
	chmodSync,
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	rmSync,
	utimesSync,
	writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSendLog, removeStaleSendLogs, takeSendLog } from './send-log.ts'

const claim = () => ({ worker: randomUUID(), account: 7, epoch: 3, batch: 1 })

function temporaryFolder(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), 'send-log-test-'))
	t.after(() => {
		chmodSync(folder, 0o700)
		rmSync(folder, { recursive: true, force: true })
	})
	return folder
}

test('takeSendLog returns the messages that were recorded', (t) => {
	const [name, folder] = [claim(), temporaryFolder(t)]
	const log = openSendLog(name, { folder })
	log.note(7)
	log.note(8)
	assert.deepEqual(takeSendLog(name, { folder }), new Set([7, 8]))
})

test('SendLog.note throws after another worker has taken the log, so that the message is not sent', (t) => {
	const [name, folder] = [claim(), temporaryFolder(t)]
	const log = openSendLog(name, { folder })
	takeSendLog(name, { folder })
	assert.throws(() => log.note(1), /taken over/)
})

test('takeSendLog returns null for a log that was closed, and for a claim without a log', (t) => {
	const [name, folder] = [claim(), temporaryFolder(t)]
	openSendLog(name, { folder }).close()
	assert.equal(takeSendLog(name, { folder }), null)
	assert.equal(takeSendLog(claim(), { folder }), null)
})

test('takeSendLog returns null when the last record was not written whole', (t) => {
	const [name, folder] = [claim(), temporaryFolder(t)]
	openSendLog(name, { folder }).note(5)
	const file = openSync(join(folder, readdirSync(folder)[0] ?? ''), 'a')
	writeSync(file, Buffer.alloc(2))
	closeSync(file)
	assert.equal(takeSendLog(name, { folder }), null)
})

test('SendLog.note lets the message be sent and notifies the caller once when the log cannot be opened', (t) => {
	const name = claim()
	const folder = join(temporaryFolder(t), 'missing')
	const missing: unknown[] = []
	const log = openSendLog(name, { folder, onMissing: (error) => missing.push(error) })
	log.note(1)
	log.close()
	assert.equal(missing.length, 1)
	mkdirSync(folder)
	assert.equal(takeSendLog(name, { folder }), null)
})

test('a log that a full disk cut short is removed, so that messages missing in it count as unknown', (t) => {
	const [name, folder] = [claim(), temporaryFolder(t)]
	const missing: unknown[] = []
	const log = openSendLog(name, { folder, onMissing: (error) => missing.push(error) })
	t.mock.method(fs, 'writeSync', () => 2)
	log.note(1)
	log.note(2)
	assert.equal(missing.length, 1)
	assert.equal(takeSendLog(name, { folder }), null)
})

test('removeStaleSendLogs removes a log without a record for a day, and keeps a fresh one', (t) => {
	const [old, fresh, folder] = [claim(), claim(), temporaryFolder(t)]
	openSendLog(old, { folder })
	utimesSync(join(folder, readdirSync(folder)[0] ?? ''), 0, 0)
	openSendLog(fresh, { folder })
	removeStaleSendLogs({ folder })
	assert.equal(takeSendLog(old, { folder }), null)
	assert.notEqual(takeSendLog(fresh, { folder }), null)
})

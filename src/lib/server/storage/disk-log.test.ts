import assert from 'node:assert/strict'
import fs, {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { DiskLog, isStaleDiskLog, replayDiskLog, takeDiskLog } from './disk-log.ts'

function pathFor(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'disk-log-test-'))
	t.after(() => rmSync(folder, { recursive: true, force: true }))
	return join(folder, 'log')
}

/** Error of a call with the descriptor of a closed log. */
const CLOSED = { code: 'ERR_OUT_OF_RANGE' }
const bytes = (text: string) => Buffer.from(text)

test('takeDiskLog returns what was appended, and the log refuses to append and to sync from then on', async (t) => {
	const path = pathFor(t)
	const log = new DiskLog(path)
	log.append(bytes('a'))
	log.append(bytes('b'))
	await log.sync()
	assert.equal(takeDiskLog(path).toString(), 'ab')
	assert.throws(() => log.append(bytes('c')), /taken over/)
	await assert.rejects(log.sync(), /taken over/)
	assert.throws(() => log.invalidate(3), /taken over/)
	assert.throws(() => takeDiskLog(path), { code: 'ENOENT' })
	log.close()
})

test('a log is created once, and refuses a record after it is closed', async (t) => {
	const path = pathFor(t)
	const log = new DiskLog(path)
	assert.throws(() => new DiskLog(path), { code: 'EEXIST' })
	log.append(bytes('a'))
	log.close()
	assert.throws(() => log.append(bytes('b')), CLOSED)
	await assert.rejects(log.sync(), CLOSED)
	assert.equal(readFileSync(path, 'utf8'), 'a')
})

test('append throws when the disk takes only a part of the record', (t) => {
	const log = new DiskLog(pathFor(t))
	t.mock.method(fs, 'writeSync', () => 2)
	assert.throws(() => log.append(bytes('abcd')), /the disk is full/)
	log.remove()
})

test('replayDiskLog deletes a log only when its reader returns true, and then returns the records that were appended meanwhile', async (t) => {
	const path = pathFor(t)
	const log = new DiskLog(path)
	log.append(bytes('a'))
	assert.equal(await replayDiskLog(path, async () => false), '')
	const read: string[] = []
	const late = await replayDiskLog(path, async (content) => {
		log.append(bytes('b'))
		read.push(content)
		return true
	})
	assert.deepEqual({ read, late, isKept: existsSync(path) }, { read: ['a'], late: 'b', isKept: false })
	log.close()
})

test('replayDiskLog keeps a log whose reader throws', async (t) => {
	const path = pathFor(t)
	appendFileSync(path, 'a')
	await assert.rejects(
		replayDiskLog(path, () => Promise.reject(new Error('away'))),
		/away/,
	)
	assert.equal(readFileSync(path, 'utf8'), 'a')
})

test('invalidate cuts a log that cannot be removed to a length that no whole log has', (t) => {
	const path = pathFor(t)
	const log = new DiskLog(path)
	log.append(bytes('abcdefgh'))
	renameSync(path, `${path}-moved`)
	mkdirSync(path)
	log.invalidate(3)
	assert.equal(readFileSync(`${path}-moved`, 'utf8'), 'abc')
	assert.throws(() => log.append(bytes('d')), CLOSED)
})

test('isStaleDiskLog returns true for a log without appends for longer than the time, and false for a missing log', (t) => {
	const path = pathFor(t)
	assert.equal(isStaleDiskLog(path, 1000), false)
	appendFileSync(path, 'a')
	assert.equal(isStaleDiskLog(path, 60_000), false)
	utimesSync(path, 0, 0)
	assert.equal(isStaleDiskLog(path, 60_000), true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostgresSession } from './servers/postgres-session.ts'

function message(type: string, ...parts: (string | number[])[]): Buffer {
	const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
	const length = Buffer.alloc(4)
	length.writeUInt32BE(body.length + 4)
	return Buffer.concat([Buffer.from(type), length, body])
}

const STARTUP = message('', [0, 3, 0, 0], 'user\0postgres\0application_name\0worker\0\0')
const SYNC = message('S')
const READY = message('Z', 'I')
const READY_IN_TRANSACTION = message('Z', 'T')

/** Reads the client's messages in chunks of this size. Returns the statements and the position of each in the stream. */
function readInChunks(session: PostgresSession, stream: Buffer, size: number) {
	const found: { text: string; start: number }[] = []
	for (let at = 0; at < stream.length; at += size) {
		session.readClient(stream.subarray(at, at + size), (text, start) => found.push({ text, start: at + start }))
	}
	return found
}

test('PostgresSession finds each statement of the protocol in one chunk, and byte by byte', () => {
	const parse = message('P', 's1\0insert into notes values ($1)\0', [0, 0])
	const bind = message('B', '\0s1\0', [0, 0, 0, 1, 0, 0, 0, 1], 'x', [0, 0])
	const stream = Buffer.concat([STARTUP, message('Q', 'begin\0'), parse, bind, SYNC, message('Q', 'commit\0')])
	const whole = new PostgresSession()
	const starts = [STARTUP.length, stream.indexOf(bind), stream.length - message('Q', 'commit\0').length]
	const texts = ['begin', 'insert into notes values ($1)', 'commit']
	assert.deepEqual(
		readInChunks(whole, stream, stream.length),
		texts.map((text, index) => ({ text, start: starts[index] })),
	)
	assert.deepEqual([whole.applicationName, whole.outstanding], ['worker', 4])
	const pieces = new PostgresSession()
	assert.deepEqual(
		readInChunks(pieces, stream, 1).map(({ text }) => text),
		texts,
	)
	assert.equal(pieces.outstanding, 4)
})

test('PostgresSession keeps the statements of a transaction until the server reports that it is idle', () => {
	const session = new PostgresSession()
	readInChunks(session, Buffer.concat([STARTUP, message('Q', 'begin\0')]), 1000)
	const ends: number[] = []
	session.readServer(Buffer.concat([READY, READY_IN_TRANSACTION.subarray(0, 3)]), (end) => ends.push(end))
	session.readServer(READY_IN_TRANSACTION.subarray(3), (end) => ends.push(end))
	assert.deepEqual(ends, [6, 3])
	assert.deepEqual([session.isInTransaction, session.statements], [true, ['begin']])
	readInChunks(session, message('Q', 'commit\0'), 1000)
	session.readServer(READY, () => {})
	assert.deepEqual([session.isInTransaction, session.statements], [false, []])
})

test('PostgresSession does not read the server’s refusal of encryption as a message', () => {
	const session = new PostgresSession()
	readInChunks(session, message('', [4, 210, 22, 47]), 1000)
	session.readServer(Buffer.from('N'), () => {})
	readInChunks(session, STARTUP, 1000)
	const ends: number[] = []
	session.readServer(READY, (end) => ends.push(end))
	assert.deepEqual([ends, session.applicationName, session.outstanding], [[6], 'worker', 0])
})

test('PostgresSession ignores bytes that do not follow the protocol', () => {
	const session = new PostgresSession()
	assert.deepEqual(readInChunks(session, Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(10)), 1000), [])
	assert.deepEqual(readInChunks(session, Buffer.alloc(1000), 10), [])
})

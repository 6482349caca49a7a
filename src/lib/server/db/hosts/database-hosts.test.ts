import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf } from './database-hosts.ts'

test('addressesOf returns one address per host, each with user, password, path and parameters', () => {
	assert.deepEqual(
		addressesOf('postgres://u:p%40w@one:5432,two,[::1]:5433/db?sslmode=verify-full&target_session_attrs=read-write'),
		['one:5432', 'two', '[::1]:5433'].map((host) => `postgres://u:p%40w@${host}/db?sslmode=verify-full`),
	)
	assert.deepEqual(addressesOf('postgresql://one/db'), ['postgresql://one/db'])
})

test('addressesOf throws for a text that is no address, more than eight hosts, and read-only sessions, without the password in its message', () => {
	const wrong = [
		'http://u:secret@one/db',
		'postgres://u:secret@one:port/db',
		'postgres://u:secret@one,,two/db',
		`postgres://u:secret@${'one,'.repeat(8)}one/db`,
		'postgres://u:secret@one,two/db?target_session_attrs=prefer-standby',
		'postgres://',
	]
	for (const url of wrong)
		assert.throws(
			() => addressesOf(url),
			({ message }: Error) => /must be/.test(message) && !message.includes('secret'),
		)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback, networkOf } from './network.ts'

test('networkOf returns an IPv4 address as it is, and the first 64 bits of an IPv6 address however it is written', () => {
	assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
	assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
	for (const address of ['2001:db8:0:1::7', '2001:db8:0:1:aaaa:bbbb:cccc:dddd', '2001:0DB8:0000:0001::'])
		assert.equal(networkOf(address), '2001:db8:0:1::/64', address)
	assert.notEqual(networkOf('2001:db8:0:2::7'), networkOf('2001:db8:0:1::7'))
	assert.equal(networkOf('::1'), '0:0:0:0::/64')
})

test('isLoopback returns true for addresses of this machine only', () => {
	for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '::ffff:127.0.0.1'])
		assert.ok(isLoopback(host), host)
	for (const host of ['0.0.0.0', '192.0.2.7', '127.0.0.1.example.com', '::', '::ffff:192.0.2.7', ''])
		assert.ok(!isLoopback(host), host)
})

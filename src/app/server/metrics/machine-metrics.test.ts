import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { findFreePort } from '#test/free-port.ts'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { certificateEnds, getDiskSpace } from './machine-metrics.ts'

test("certificateEnds returns the expiry of the server's certificate, and connects once", async (t) => {
	const { key, cert } = await trustedCertificate()
	let handshakes = 0
	const server = createServer({ key, cert }).listen(0, '127.0.0.1')
	server.on('connection', () => handshakes++)
	t.after(() => server.close())
	await once(server, 'listening')
	const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
	const read = certificateEnds(() => [address, 'http://127.0.0.1:1'])
	const end = Date.parse(new X509Certificate(cert).validTo) / 1000
	assert.deepEqual([await read(), await read(), handshakes], [end, end, 1])
})

test('certificateEnds returns NaN when no address is https or answers', async () => {
	assert.equal(await certificateEnds(() => ['http://shop.example'])(), Number.NaN)
	const silent = `https://127.0.0.1:${await findFreePort()}`
	assert.equal(await certificateEnds(() => [silent])(), Number.NaN)
})

test("getDiskSpace returns the space of a folder's file system in bytes", async () => {
	const { blocks, bsize } = statfsSync(tmpdir())
	const { availableBytes, sizeBytes } = await getDiskSpace(tmpdir())
	assert.equal(sizeBytes, blocks * bsize)
	assert.ok(availableBytes > 0 && availableBytes < sizeBytes)
})

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { unzip } from '#test/readers/unzip.ts'
import { until } from '#test/until.ts'
import { zipOf, type ZipEntry } from './zip.ts'

async function* texts(of: Record<string, string>): AsyncGenerator<ZipEntry> {
	for (const [path, text] of Object.entries(of)) yield { path, content: Readable.from([text], { objectMode: false }) }
}

async function* oneStored(): AsyncGenerator<ZipEntry> {
	yield { path: 'picture.jpg', content: Readable.from(['p'.repeat(1000)], { objectMode: false }), isStored: true }
}

async function* oneBroken(): AsyncGenerator<ZipEntry> {
	const content: Readable = new Readable({ read: () => content.destroy(new Error('the store is down')) })
	yield { path: 'one', content }
}

async function* oneThenNone(): AsyncGenerator<ZipEntry> {
	yield* texts({ one: 'Hello' })
	throw new Error('the database is down')
}

test('zipOf writes each entry completely, empty and stored ones too', async () => {
	const of = { 'one.txt': 'Hello', 'folder/two.csv': 'a,b\r\n'.repeat(50_000), 'empty.txt': '' }
	assert.deepEqual(await unzip(await buffer(zipOf(texts(of)))), of)
	const zip = await buffer(zipOf(oneStored()))
	assert.ok(zip.includes('p'.repeat(1000)))
})

test('zipOf requests an entry after the preceding one has been read', async () => {
	const asked: string[] = []
	async function* large() {
		for (const path of ['one', 'two']) {
			asked.push(path)
			yield { path, content: Readable.from(pieces(), { objectMode: false }), isStored: true }
		}
	}
	const zip = zipOf(large())
	await until(() => Promise.resolve(zip.readableLength > 0))
	assert.deepEqual(asked, ['one'])
	zip.resume()
	await until(() => Promise.resolve(asked.length === 2))
})

function* pieces() {
	for (let piece = 0; piece < 64; piece++) yield 'x'.repeat(64 * 1024)
}

test('zipOf destroys the current entry and requests no other when its reader stops', async () => {
	const content = Readable.from(pieces(), { objectMode: false })
	let asked = 0
	async function* endless() {
		for (;;) {
			asked++
			yield { path: `${asked}`, content }
		}
	}
	const zip = zipOf(endless())
	await until(() => Promise.resolve(asked === 1))
	zip.destroy()
	await until(() => Promise.resolve(content.destroyed))
	assert.equal(asked, 1)
})

test('zipOf fails when an entry fails, so that no partial file looks complete', async () => {
	await assert.rejects(buffer(zipOf(oneBroken())), /the store is down/)
	await assert.rejects(buffer(zipOf(oneThenNone())), /the database is down/)
})

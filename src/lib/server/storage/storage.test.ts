import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { findFreePort } from '#test/free-port.ts'
import { openS3Storage } from './s3-storage.ts'
import { createFolderStorage, type Storage } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'storage-test-'))
const server = new S3rver({
	port: 0,
	address: '127.0.0.1',
	silent: true,
	// The test server drops the slash at the end of a list's path before it checks the signature.
	allowMismatchedSignatures: true,
	directory: join(folder, 'buckets'),
	configureBuckets: [{ name: 'uploads', configs: [] }],
})
const { port } = await server.run()
const endpoint = `http://127.0.0.1:${port}`
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const access = { endpoint, region: 'ap-south-1', credentials }
const warnings: unknown[] = []
const log = { warn: (fields: unknown) => void warnings.push(fields) }

after(async () => {
	await server.close()
	await rm(folder, { recursive: true, force: true })
})

const storages: [string, Storage][] = [
	['a folder', createFolderStorage(join(folder, 'files'))],
	['a bucket', await openS3Storage({ ...access, url: 's3://uploads' }, log)],
	['a bucket with a prefix', await openS3Storage({ ...access, url: 's3://uploads/shop/files/' }, log)],
]

for (const [name, storage] of storages) {
	suite(`storage in ${name}`, () => {
		test('a file is read completely, in part, and by size', async () => {
			await storage.put('12/headers/offer.txt', Buffer.from('Ten per cent off'))
			assert.equal((await storage.get('12/headers/offer.txt')).toString(), 'Ten per cent off')
			assert.equal(await storage.size('12/headers/offer.txt'), 16)
			assert.equal(await textOf(storage.read('12/headers/offer.txt', { start: 4, end: 11 })), 'per cent')
		})

		test('put of an existing key replaces the file', async () => {
			await storage.put('12/again', Buffer.from('the first'))
			await storage.put('12/again', Buffer.from('2nd'))
			assert.equal((await storage.get('12/again')).toString(), '2nd')
		})

		test('put stores a stream of a megabyte completely', async () => {
			const piece = Buffer.alloc(65_536, 'abcdefgh')
			await storage.put('12/chats/video', piecesOf(piece, 16))
			assert.deepEqual(await storage.get('12/chats/video'), Buffer.concat(Array.from({ length: 16 }, () => piece)))
		})

		test('put of a stream that fails stores nothing', async () => {
			const failed = storage.put('12/chats/broken', piecesOf(Buffer.from('half'), 2, new Error('the download broke')))
			await assert.rejects(failed, /the download broke/)
			await assert.rejects(storage.get('12/chats/broken'), { code: 'file_not_found' })
		})

		test('get, size and read reject for a missing file', async () => {
			await assert.rejects(storage.get('12/none'), { code: 'file_not_found' })
			await assert.rejects(storage.size('12/none'), { code: 'file_not_found' })
			await assert.rejects(textOf(storage.read('12/none', { start: 0, end: 1 })))
		})

		test('list returns the keys, sizes and ages of a folder, and none of another account', async () => {
			for (const key of ['21/headers/one/a.jpg', '21/chats/two', '210/chats/three'])
				await storage.put(key, Buffer.from(key))
			const files = await Array.fromAsync(storage.list('21'))
			assert.deepEqual(files.map(({ key, bytes }) => [key, bytes]).toSorted(), [
				['21/chats/two', 12],
				['21/headers/one/a.jpg', 20],
			])
			for (const { changedAt } of files) assert.ok(Math.abs(Date.now() - changedAt.getTime()) < 60_000)
			assert.deepEqual(await Array.fromAsync(storage.list('22')), [])
		})

		test('delete removes a file, and resolves for a missing one', async () => {
			await storage.put('23/chats/one', Buffer.from('x'))
			await storage.delete('23/chats/one')
			await assert.rejects(storage.get('23/chats/one'), { code: 'file_not_found' })
			await storage.delete('23/chats/one')
		})

		test('put refuses a key outside the folder', async () => {
			await assert.rejects(storage.delete('../secret'), /is not a storage key/)
			await assert.rejects(storage.get('../secret'), /is not a storage key/)
			await assert.rejects(storage.put('12/../../secret', Buffer.from('x')), /is not a storage key/)
		})
	})
}

suite('openS3Storage at the start of the product', () => {
	test('openS3Storage rejects and names a missing bucket', async () => {
		const opened = openS3Storage({ ...access, url: 's3://elsewhere/files' }, log)
		await assert.rejects(
			opened,
			/STORAGE_URL s3:\/\/elsewhere\/files cannot be used: The specified bucket does not exist/,
		)
	})

	test('openS3Storage rejects and names an unknown access key', async () => {
		const wrong = { accessKeyId: 'ANOTHER', secretAccessKey: 'S3RVER' }
		const opened = openS3Storage({ ...access, url: 's3://uploads', credentials: wrong }, log)
		await assert.rejects(opened, /STORAGE_URL s3:\/\/uploads cannot be used: .*Access Key Id/)
	})

	test('openS3Storage logs a server that does not answer, and resolves', async () => {
		warnings.length = 0
		const silent = `http://127.0.0.1:${await findFreePort()}`
		const storage = await openS3Storage({ ...access, url: 's3://uploads', endpoint: silent }, log)
		assert.equal(warnings.length, 1)
		await assert.rejects(storage.get('12/headers/offer.txt'), /ECONNREFUSED/)
	})

	test('two prefixes of one bucket do not share files', async () => {
		const [mine, other] = await Promise.all(
			['mine', 'other'].map((prefix) => openS3Storage({ ...access, url: `s3://uploads/${prefix}` }, log)),
		)
		await mine?.put('1/file', Buffer.from('mine'))
		await other?.put('1/file', Buffer.from('other'))
		assert.equal((await mine?.get('1/file'))?.toString(), 'mine')
	})

	test('put of a stream has its local copy in the temporary folder while it reads, and removes it', async (t) => {
		const local = await mkdtemp(join(folder, 'local-'))
		const systemFolder = process.env.TMPDIR
		process.env.TMPDIR = local
		t.after(() => {
			if (systemFolder === undefined) delete process.env.TMPDIR
			else process.env.TMPDIR = systemFolder
		})
		const storage = await openS3Storage({ ...access, url: 's3://uploads' }, log)
		let copies = 0
		const content = async function* () {
			copies = (await readdir(local)).length
			yield Buffer.from('content')
		}
		await storage.put('12/copied', content())
		assert.deepEqual([copies, await readdir(local)], [1, []])
	})
})

test("only the process's user can read the folder and its files, even if others could before", async () => {
	const files = join(folder, 'private')
	await mkdir(files, { mode: 0o755 })
	const storage = createFolderStorage(files)
	await storage.put('12/headers/offer.txt', Buffer.from('x'))
	const modes = await Promise.all(
		['', '12', '12/headers', '12/headers/offer.txt'].map(async (path) => (await stat(join(files, path))).mode & 0o777),
	)
	assert.deepEqual(modes, [0o700, 0o700, 0o700, 0o600])
})

async function* piecesOf(piece: Buffer, count: number, error?: Error): AsyncGenerator<Buffer> {
	for (let sent = 0; sent < count; sent++) yield piece
	if (error) throw error
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of stream) chunks.push(Buffer.from(chunk))
	return Buffer.concat(chunks).toString()
}

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '#test/database.ts'
import { limitStorage, type AccountStorage } from './account-storage.ts'
import { createFolderStorage } from './storage.ts'

const MEGABYTE = 1024 * 1024
const MAX_MEGABYTES = 4

let database: Awaited<ReturnType<typeof createTestDatabase>>
let folder: string
let storage: AccountStorage
before(async () => {
	database = await createTestDatabase()
	folder = await mkdtemp(join(tmpdir(), 'account-storage-'))
	storage = limitStorage(createFolderStorage(folder), database.sql, MAX_MEGABYTES)
})
after(async () => {
	await database.drop()
	await rm(folder, { recursive: true, force: true })
})

let accounts = 0
const newAccount = () => ++accounts

async function bytesOf(accountId: number): Promise<number | undefined> {
	const [row] = await database.sql<{ bytes: number }[]>`
		select bytes from account_storage where account_id = ${accountId}
	`
	return row?.bytes
}

async function* chunksOf(count: number, error?: Error): AsyncGenerator<Uint8Array> {
	for (let index = 0; index < count; index++) yield Buffer.alloc(MEGABYTE / 4)
	if (error) throw error
}

test('put counts the bytes of files and streams, and frees the bytes of a broken stream', async () => {
	const account = newAccount()
	await storage.put(`${account}/file`, Buffer.from('Ten per cent off'))
	assert.equal(await bytesOf(account), 16)
	await storage.put(`${account}/stream`, chunksOf(5))
	assert.equal(await bytesOf(account), 16 + (5 * MEGABYTE) / 4)
	await assert.rejects(storage.put(`${account}/broken`, chunksOf(3, new Error('it broke'))), /it broke/)
	assert.equal(await bytesOf(account), 16 + (5 * MEGABYTE) / 4)
})

test('put refuses a file or stream above the limit and stores nothing of it, and accepts one that fits', async () => {
	const account = newAccount()
	await storage.put(`${account}/three`, Buffer.alloc(3 * MEGABYTE))
	for (const content of [Buffer.alloc(MEGABYTE + 1), chunksOf(8)]) {
		await assert.rejects(storage.put(`${account}/beyond`, content), {
			status: 413,
			message:
				'There is no room for this file: your account may keep 4 MB of files in all. ' +
				'Use a smaller file, or ask your administrator for more storage.',
		})
	}
	await assert.rejects(storage.put(`${newAccount()}/first`, Buffer.alloc(5 * MEGABYTE)), { code: 'storage_full' })
	assert.deepEqual(await readdir(join(folder, String(account))), ['three'])
	assert.equal(await bytesOf(account), 3 * MEGABYTE)
	await assert.rejects(storage.requireRoom(account, MEGABYTE + 1), { code: 'storage_full' })
	await storage.requireRoom(account, MEGABYTE)
	await storage.put(`${account}/four`, Buffer.alloc(MEGABYTE))
	await storage.put(`${newAccount()}/other`, Buffer.alloc(MEGABYTE))
})

test('put of a file or stream that replaces a file takes the difference, and leaves the file and its bytes when it fails', async () => {
	const account = newAccount()
	const key = `${account}/replaced`
	await storage.put(key, Buffer.alloc(3 * MEGABYTE))
	for (const [content, bytes] of [
		[Buffer.alloc(4 * MEGABYTE), 4 * MEGABYTE],
		[chunksOf(6), (6 * MEGABYTE) / 4],
		[Buffer.alloc(10), 10],
	] as const) {
		await storage.put(key, content)
		assert.deepEqual([await bytesOf(account), await storage.size(key)], [bytes, bytes])
	}
	for (const content of [Buffer.alloc(4 * MEGABYTE + 1), chunksOf(3, new Error('it broke'))])
		await assert.rejects(storage.put(key, content))
	assert.deepEqual([await bytesOf(account), await storage.size(key)], [10, 10])
})

test('delete frees the bytes of a file once, however often it is called', async () => {
	const account = newAccount()
	await storage.put(`${account}/kept`, Buffer.alloc(100))
	await storage.put(`${account}/gone`, Buffer.alloc(3 * MEGABYTE))
	for (let time = 0; time < 2; time++) await storage.delete(`${account}/gone`)
	assert.equal(await bytesOf(account), 100)
	assert.deepEqual(await readdir(join(folder, String(account))), ['kept'])
})

test('concurrent uploads of files and streams from two processes never exceed the limit', async () => {
	const account = newAccount()
	const other = limitStorage(createFolderStorage(folder), database.sql, MAX_MEGABYTES)
	const attempts = await Promise.allSettled(
		Array.from({ length: 12 }, (_, index) =>
			(index % 2 === 0 ? storage : other).put(
				`${account}/${index}`,
				index % 3 === 0 ? chunksOf(4) : Buffer.alloc(MEGABYTE),
			),
		),
	)
	const kept = attempts.filter(({ status }) => status === 'fulfilled').length
	assert.equal(kept, MAX_MEGABYTES)
	assert.equal((await readdir(join(folder, String(account)))).length, kept)
	assert.equal(await bytesOf(account), kept * MEGABYTE)
})

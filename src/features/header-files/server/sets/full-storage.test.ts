import assert from 'node:assert/strict'
import fs from 'node:fs'
import { readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { headerFiles } from '#features/header-files/contract.ts'
import { pdf, zipOf } from '#test/file-scene.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fileOf } from '#test/scenes/template-tests.ts'
import { storeMessageFile } from '../service.ts'

const app = await launchTestApp()
const person = await app.signIn('user')

const upload = (content: Buffer, name: string) => fileOf(content, name, 'application/pdf')
const newSet = async () => (await app.call(headerFiles.create, { body: { kind: 'DOCUMENT' } }, person)).body.set._id
const add = (id: string, file: File) => app.call(headerFiles.add, { params: { id }, files: { file } }, person)
const addZip = (id: string, content: Buffer) =>
	app.call(
		headerFiles.addZip,
		{ params: { id }, files: { file: fileOf(content, 'reports.zip', 'application/zip') } },
		person,
	)
const namesOf = async (id: string) => (await app.call(headerFiles.get, { params: { id } }, person)).body.names

async function usedBytes(): Promise<number> {
	const [row] = await app.context.db<{ bytes: number }[]>`
		select bytes from account_storage where account_id = ${person.accountId}
	`
	return row?.bytes ?? 0
}

const MEGABYTE = 1024 * 1024

/** Sets the bytes of the account's files, so that there is room for `bytes` more. */
const leaveRoom = (bytes: number) => app.context.db`
	insert into account_storage as s (account_id, bytes)
	values (${person.accountId}, ${app.context.env.ACCOUNT_STORAGE_MB * MEGABYTE - bytes}::bigint)
	on conflict (account_id) do update set bytes = excluded.bytes
`

/** Twelve files of 1000 bytes, and the zip of them. */
async function twelveFiles(what: string) {
	const files = Object.fromEntries(
		Array.from({ length: 12 }, (_, at) => [`${what} ${at}.pdf`, pdf(`${what} ${at} `.padEnd(991, 'x'))]),
	)
	return { files, zip: await zipOf(Object.entries(files)) }
}

/** Asserts that a set has exactly these files, that each can be read, and that no part of another one is stored. */
async function seeFiles(id: string, files: Record<string, Buffer>): Promise<void> {
	const rows = await app.context.db<{ name: string; key: string }[]>`
		select name, file_key as key from header_files where account_id = ${person.accountId} and set_id = ${id}
	`
	assert.equal(rows.length, Object.keys(files).length)
	for (const { name, key } of rows) assert.deepEqual(await app.context.storage.get(key), files[name])
	const folder = join(app.context.env.DATA_DIR, 'files', dirname(rows[0]?.key ?? ''))
	assert.deepEqual(
		(await readdir(folder)).filter((name) => name.endsWith('.part')),
		[],
	)
}

test('a full storage ends the upload of a zip or a file with the reason; what was stored stays, and the rest is taken once there is room', async () => {
	const id = await newSet()
	const { files, zip } = await twelveFiles('full')
	await leaveRoom(5500)
	const first = await addZip(id, zip)
	assert.equal(first.status, 413)
	assert.match(first.body.message ?? '', /your account may keep .* MB of files in all.*ask your administrator/)
	const stored = await namesOf(id)
	assert.equal(stored.length, 5)
	await seeFiles(id, Object.fromEntries(stored.map((name) => [name, files[name] ?? pdf('')])))
	const single = upload(pdf('single'.padEnd(991)), 'single.pdf')
	assert.equal((await add(id, single)).status, 413)
	await leaveRoom(8000)
	const before = await usedBytes()
	assert.deepEqual([(await addZip(id, zip)).body.added, (await add(id, single)).status], [7, 200])
	assert.equal((await usedBytes()) - before, 8000)
	await seeFiles(id, { ...files, 'single.pdf': pdf('single'.padEnd(991)) })
})

/** Returns the error of a write to a full disk. */
const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** Fills the disk once `room` further files were stored: half of the next file is written. Returns the function that makes room. */
function fillDisk(t: TestContext, room: number): () => void {
	let left = room
	const { writeFile } = fs.promises
	t.mock.method(fs.promises, 'writeFile', async (path: string, content: Buffer, options: object) => {
		if (!path.endsWith('.part') || left-- > 0) return writeFile(path, content, options)
		await writeFile(path, content.subarray(0, content.length / 2), options)
		throw noSpace()
	})
	syncBuiltinESMExports()
	const makeRoom = () => {
		t.mock.restoreAll()
		syncBuiltinESMExports()
	}
	t.after(makeRoom)
	return makeRoom
}

test('a full disk ends an upload with the reason and stores no part of a file; the rest is taken once there is room', async (t) => {
	const id = await newSet()
	const { files, zip } = await twelveFiles('disk')
	await leaveRoom(MEGABYTE * 100)
	const before = await usedBytes()
	const makeRoom = fillDisk(t, 9)
	const first = await addZip(id, zip)
	assert.equal(first.status, 503)
	assert.match(first.body.message ?? '', /disk is full.*tell your administrator.*try again/)
	const stored = await namesOf(id)
	assert.equal(stored.length, 9)
	await seeFiles(id, Object.fromEntries(stored.map((name) => [name, files[name] ?? pdf('')])))
	assert.equal((await usedBytes()) - before, 9000)
	const single = upload(pdf('single'), 'single.pdf')
	assert.equal((await add(id, single)).status, 503)
	makeRoom()
	assert.deepEqual([(await addZip(id, zip)).body.added, (await add(id, single)).status], [3, 200])
	await seeFiles(id, { ...files, 'single.pdf': pdf('single') })
})

test('a message whose file cannot be stored on a full disk leaves the equal file of another message', async (t) => {
	const content = pdf('one brochure for all')
	const store = () =>
		storeMessageFile(app.context, person.accountId, {
			kind: 'DOCUMENT',
			file: { name: 'brochure.pdf', content },
			signal: new AbortController().signal,
		})
	await leaveRoom(content.length)
	const { key } = await store()
	const before = await usedBytes()
	fillDisk(t, 0)
	await assert.rejects(store(), { code: 'ENOSPC' })
	assert.deepEqual([await app.context.storage.get(key), await usedBytes()], [content, before])
})

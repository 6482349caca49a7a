import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DAY_MS } from '#lib/durations.ts'
import type { AccountId } from '#lib/server/db.ts'
import { limitStorage } from '#lib/server/storage/account-storage.ts'
import { createFolderStorage } from '#lib/server/storage/storage.ts'
import { account, template } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { deleteOldRows } from './retention.ts'
import { deleteUnusedFiles } from './unused-files.ts'

let app: TestApp
let folder: string
let deps: Parameters<typeof deleteUnusedFiles>[0]
before(async () => {
	app = await startTestApp()
	folder = await mkdtemp(join(tmpdir(), 'unused-files-'))
	deps = { ...app.context, storage: limitStorage(createFolderStorage(folder), app.context.db, 10) }
})
after(async () => {
	await app.close()
	await rm(folder, { recursive: true, force: true })
})

async function addFile(accountId: AccountId, name: string, ageDays: number): Promise<string> {
	const key = `${accountId}/${name}`
	await deps.storage.put(key, Buffer.alloc(100))
	const at = new Date(Date.now() - ageDays * DAY_MS)
	await utimes(join(folder, key), at, at)
	return key
}

async function bytesOf(accountId: AccountId): Promise<number> {
	const [row] = await app.context.db<
		{ bytes: number }[]
	>`select bytes from account_storage where account_id = ${accountId}`
	return row?.bytes ?? 0
}

test('deleteUnusedFiles deletes files of a week that no row refers to, and frees their bytes', async () => {
	const { db } = app.context
	const [{ accountId }, { accountId: other }] = [await account(app.context), await account(app.context)]
	const media = await addFile(accountId, 'chats/media', 30)
	const header = await addFile(accountId, 'headers/1/offer.jpg', 30)
	const ofCampaign = await addFile(accountId, 'headers/2/offer.jpg', 30)
	const ofRemoved = await addFile(accountId, 'headers/3/offer.jpg', 30)
	await addFile(accountId, 'chats/unused', 8)
	await addFile(accountId, 'chats/upload.part', 8)
	await addFile(accountId, 'chats/new', 6)
	// Referenced by another account's row, which does not count as use of this account's file.
	const foreign = await addFile(accountId, 'chats/foreign', 30)
	const ofOther = await addFile(other, 'chats/media', 30)
	for (const [id, key] of [
		[accountId, media],
		[other, ofOther],
		[other, foreign],
	] as const)
		await db`
			insert into chat_messages (account_id, chat, direction, kind, status, media_key, media_state, at)
			values (${id}, '919800000001', 'in', 'image', 'delivered', ${key}, 'ready', now())
		`
	const { id } = await template(db, accountId)
	await db`update templates set header_file = ${header} where account_id = ${accountId} and id = ${id}`
	for (const [key, removedAt] of [
		[ofCampaign, null],
		[ofRemoved, new Date()],
	] as const)
		await db`
			insert into campaigns (account_id, name, status, template, header_file, audience_type, price_paise, messages_removed_at)
			values (${accountId}, 'Diwali', 'completed', '{}', ${key}, 'all', 100, ${removedAt})
		`
	for (let time = 0; time < 2; time++) {
		await deleteUnusedFiles(deps)
		assert.deepEqual((await readdir(join(folder, String(accountId), 'chats'))).toSorted(), ['media', 'new'])
		for (const kept of [header, ofCampaign, ofOther]) assert.equal(await deps.storage.size(kept), 100)
		await assert.rejects(deps.storage.size(ofRemoved), /File not found/)
		assert.deepEqual([await bytesOf(accountId), await bytesOf(other)], [400, 100])
	}
})

test('deleteUnusedFiles deletes the file of an old chat message with the message', async () => {
	const { db } = app.context
	const { accountId } = await account(app.context)
	const key = await addFile(accountId, 'chats/old', 800)
	await db`
		insert into chat_messages (account_id, chat, direction, kind, status, media_key, media_state, at)
		values (${accountId}, '919800000001', 'in', 'image', 'delivered', ${key}, 'ready', now() - interval '800 days')
	`
	await deleteUnusedFiles(deps)
	assert.equal(await bytesOf(accountId), 100)
	await deleteOldRows({ ...deps, env: app.context.env })
	await deleteUnusedFiles(deps)
	assert.equal(await bytesOf(accountId), 0)
	await assert.rejects(deps.storage.size(key), /File not found/)
})

test('deleteUnusedFiles frees the bytes that a killed process had reserved, once no file was written for an hour', async () => {
	const { db } = app.context
	const { accountId } = await account(app.context)
	await addFile(accountId, 'chats/new', 1)
	await db`update account_storage set bytes = bytes + 5000 where account_id = ${accountId}`
	await deleteUnusedFiles(deps)
	assert.equal(await bytesOf(accountId), 5100)
	await db`update account_storage set changed_at = now() - interval '2 hours' where account_id = ${accountId}`
	await deleteUnusedFiles(deps)
	assert.equal(await bytesOf(accountId), 100)
})

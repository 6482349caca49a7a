import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { recordAdminAction } from './service.ts'

let app: TestApp
before(async () => {
	app = await startTestApp()
})
after(() => app.close())

test('admin_actions refuses UPDATE and DELETE and keeps what was recorded', async () => {
	const { db } = app.context
	const { userId } = await app.signIn('admin')
	const actor = { adminId: Number(userId), ip: '192.0.2.1' }
	await recordAdminAction(db, actor, { action: 'user-edited', subjectId: Number(userId), details: 'name' })
	const changes = [
		() => db`update admin_actions set details = 'nothing' where admin_id = ${userId}`,
		() => db`delete from admin_actions where admin_id = ${userId}`,
		() => db`delete from admin_actions`,
	]
	for (const change of changes) await assert.rejects(async () => await change())
	const rows = await db`select details from admin_actions where admin_id = ${userId}`
	assert.deepEqual([...rows], [{ details: 'name' }])
})

import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { users } from '#features/users/contract.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { createTestDatabase } from '#test/database.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { auth } from '../contract.ts'
import { insertReset } from './reset-queries.ts'
import { recordAdminAction } from './service.ts'

const app = await launchTestApp()

test('admin_actions refuses UPDATE and DELETE and keeps its entries', async () => {
	const { db } = app.context
	const { userId } = await app.signIn('admin')
	const actor = { adminId: Number(userId), ip: '192.0.2.1' }
	await recordAdminAction(db, actor, { action: 'user-edited', subjectId: Number(userId), details: 'name' })
	const changes = [
		() => db`update admin_actions set details = 'nothing' where actor_id = ${userId}`,
		() => db`delete from admin_actions where actor_id = ${userId}`,
		() => db`delete from admin_actions`,
	]
	for (const change of changes) await assert.rejects(async () => await change())
	const rows = await db`select details from admin_actions where actor_id = ${userId}`
	assert.deepEqual([...rows], [{ details: 'name' }])
})

const search = async (text: string, as: TestAccount) =>
	(await app.call(auth.adminActions, { query: { page: 1, limit: 10, search: text } }, as)).body.actions

test('an entry keeps the names and emails at the time of the action after a rename, a change of email and a deletion, and is found by them without accents', async () => {
	const { db } = app.context
	const [boss, reader] = [await app.signIn('admin'), await app.signIn('admin')]
	const person = await account(app.context, { name: 'Zoë O’Before', email: 'meera.before@example.com' })
	const actor = { adminId: Number(boss.userId), ip: '192.0.2.1' }
	await recordAdminAction(db, actor, { action: 'user-edited', subjectId: Number(person.userId), details: 'role' })
	await db`update users set name = 'After', email = 'after' || id || '@example.com' where id in (${boss.userId}, ${person.userId})`
	await db`update users set deleted_at = now() where id = ${person.userId}`
	const [entry, ...more] = await search('meera.before', reader)
	assert.deepEqual(more, [])
	for (const typed of ["ZOE O'BEFORE", 'zoë o´before']) assert.deepEqual(await search(typed, reader), [entry], typed)
	assert.deepEqual(entry?.actor, { name: boss.name, email: boss.email })
	assert.deepEqual(entry?.subject, { name: 'Zoë O’Before', email: 'meera.before@example.com' })
})

test('a user’s own changes of email and password, and a reset by link, are recorded with the network address and no secret', async () => {
	const reader = await app.signIn('admin')
	const person = await account(app.context, { name: 'Own Changer' })
	const { name, email, password: currentPassword } = person
	const save = (body: object) => app.call(users.updateMe, { body: { name, email, ...body } }, person)
	await save({ currentPassword: 'a wrong guess', newPassword: 'never stored' })
	await save({})
	await save({ currentPassword, newPassword: 'brand new words' })
	await save({ email: 'own.changed@example.com' })
	await insertReset(app.context.db, {
		tokenHash: sha256('mailed'),
		userId: Number(person.userId),
		seconds: 60,
		most: 5,
	})
	await app.call(auth.resetPassword, { body: { token: 'mailed', password: 'third new words' } })
	const entries = await search('own changer', reader)
	const renamed = { name, email: 'own.changed@example.com' }
	const original = { name, email }
	assert.deepEqual(
		entries.map(({ action, details, actor, subject, ip }) => ({ action, details, actor, subject, ip })),
		[
			{ action: 'password-reset', details: null, actor: renamed, subject: renamed, ip: '127.0.0.1' },
			{
				action: 'email-changed',
				details: `${email} → own.changed@example.com`,
				actor: renamed,
				subject: renamed,
				ip: '127.0.0.1',
			},
			{ action: 'password-changed', details: null, actor: original, subject: original, ip: '127.0.0.1' },
		],
	)
	assert.ok(!JSON.stringify(entries).includes('words'))
})

test('auth.adminActions finds entries by the words of their action', async () => {
	const reader = await app.signIn('admin')
	const actions = new Set((await search('own EMAIL', reader)).map(({ action }) => action))
	assert.deepEqual([...actions], ['email-changed'])
})

test('a migration adds current names to entries from before entries had names, and the trail stays append-only', async () => {
	const { sql, directUrl, drop } = await createTestDatabase('template0')
	const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
	const files = new URL('../../../../db/', import.meta.url)
	try {
		await cp(files, folder, { recursive: true, filter: (path) => basename(path) < '0019' || !/\d_/.test(path) })
		await migrate(directUrl, { folder: pathToFileURL(`${folder}/`) })
		await sql`insert into accounts default values`
		const [person] = await sql`
			insert into users (account_id, name, email, role, password_hash)
			select id, 'Asha', 'asha@example.com', 'admin', '' from accounts returning id
		`
		const id = Number(person?.id)
		await sql`insert into admin_actions (admin_id, action, subject_id) values (${id}, 'user-edited', ${id}), (${id}, 'x', null)`
		await migrate(directUrl)
		const rows = await sql`select actor_name, actor_email, subject_name, subject_email from admin_actions order by id`
		const asha = { actor_name: 'Asha', actor_email: 'asha@example.com' }
		assert.deepEqual(
			[...rows],
			[
				{ ...asha, subject_name: 'Asha', subject_email: 'asha@example.com' },
				{ ...asha, subject_name: null, subject_email: null },
			],
		)
		await assert.rejects(async () => await sql`update admin_actions set actor_name = 'Nobody'`, /append-only/)
	} finally {
		await drop()
		await rm(folder, { recursive: true })
	}
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { lockUsers } from '#features/auth/server/queries.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp, startTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { users, type EditUserRequest } from '../contract.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

const edit = (person: TestAccount, body: Partial<EditUserRequest>, as: TestAccount = admin) =>
	app.call(
		users.update,
		{
			params: { id: person.userId },
			body: { name: person.name, email: person.email, role: 'user', isActive: true, ...body },
		},
		as,
	)
const toggle = ({ userId }: TestAccount, as: TestAccount = admin, body: { isActive?: boolean } = {}) =>
	app.call(users.toggleStatus, { params: { id: userId }, body }, as)
const remove = ({ userId }: TestAccount, as: TestAccount = admin) =>
	app.call(users.remove, { params: { id: userId } }, as)
const statusOf = async (person: TestAccount) => (await app.call(users.me, {}, person)).status

const statesOf = async (accountId: AccountId) =>
	app.context.db<{ status: string; reason: string | null }[]>`
		select status, status_reason as reason from campaigns where account_id = ${accountId} order by id
	`

test('users.update returns the edited user in the form of a list row', async () => {
	const person = await account(app.context, { balancePaise: 1250 })
	const { status, body } = await edit(person, { name: ' Asha Rao ', email: 'asha.new@example.com', isActive: false })
	assert.deepEqual([status, body.message], [200, 'User updated successfully'])
	assert.deepEqual(
		{ ...body.user, createdAt: '' },
		{
			_id: person.userId,
			name: 'Asha Rao',
			email: 'asha.new@example.com',
			role: 'user',
			isActive: false,
			walletBalance: 12.5,
			createdAt: '',
			hasSecondFactor: false,
			passwordFrom: 'self',
			linksStopped: null,
			businessName: '',
			businessAddress: '',
			businessState: '',
			gstin: '',
		},
	)
	const query = { page: 1, limit: 10, search: 'asha.new' }
	assert.deepEqual((await app.call(users.list, { query }, admin)).body.users, [body.user])
})

test('users.update returns 400 with the form’s messages for a missing name or an invalid address', async () => {
	const person = await account(app.context)
	const { status, body } = await edit(person, { name: ' ', email: 'nobody' })
	assert.equal(status, 400)
	assert.deepEqual(body, {
		message: 'Name is required',
		fields: { name: 'Name is required', email: 'Invalid email format' },
	})
	assert.equal((await edit(person, { email: '' })).body.message, 'Email is required')
})

test('users.update keeps another admin’s changes in the fields that it names as unchanged', async () => {
	const person = await account(app.context)
	await edit(person, { name: 'Asha Rao', role: 'admin', isActive: false, businessName: 'Rao Sarees' })
	const { body } = await edit(person, {
		email: 'asha.only@example.com',
		businessName: '',
		unchanged: ['name', 'role', 'isActive', 'businessName', 'businessAddress', 'gstin'],
	})
	const { name, email, role, isActive, businessName } = body.user
	assert.deepEqual(
		{ name, email, role, isActive, businessName },
		{
			name: 'Asha Rao',
			email: 'asha.only@example.com',
			role: 'admin',
			isActive: false,
			businessName: 'Rao Sarees',
		},
	)
})

test('users.update returns 409 for another user’s address in any letter case', async () => {
	const [person, other] = [await account(app.context), await account(app.context)]
	const { status, body } = await edit(person, { email: other.email.toUpperCase() })
	const message = 'A user with this email already exists'
	assert.deepEqual([status, body], [409, { message, fields: { email: message } }])
	assert.equal((await edit(person, { email: person.email.toUpperCase() })).status, 200)
})

test('users.toggleStatus ends the user’s sessions and pauses the campaigns, and a second call lets the user sign in', async () => {
	const person = await account(app.context)
	await campaignRow(app.context.db, person.accountId, { status: 'processing' })
	await campaignRow(app.context.db, person.accountId, { status: 'pending' })
	await campaignRow(app.context.db, person.accountId, { status: 'completed' })
	const off = await toggle(person)
	assert.deepEqual([off.status, off.body], [200, { message: 'User deactivated successfully', isActive: false }])
	assert.equal(await statusOf(person), 401)
	const reason = 'The account was deactivated by an administrator.'
	assert.deepEqual(
		[...(await statesOf(person.accountId))],
		[
			{ status: 'paused', reason },
			{ status: 'paused', reason },
			{ status: 'completed', reason: null },
		],
	)
	const on = await toggle(person)
	assert.deepEqual([on.status, on.body], [200, { message: 'User activated successfully', isActive: true }])
	assert.equal(await statusOf(person), 401, 'the old session stays ended')
	const { body: session } = await app.call(auth.login, { body: person })
	const { body } = await app.call(notifications.list, {}, session)
	assert.equal(body.notifications[0]?.text, `2 campaigns were paused: ${reason}`)
	const { body: list } = await app.call(
		campaigns.list,
		{ query: { page: 1, limit: 10, search: '', sort: 'createdAt', order: 'desc', tests: 'hide' } },
		session,
	)
	assert.deepEqual(
		list.campaigns.map((campaign) => campaign.status),
		['completed', 'paused', 'paused'],
	)
})

test('users.toggleStatus to the current status changes nothing and records nothing in the audit trail', async () => {
	const person = await account(app.context)
	for (let time = 0; time < 2; time++) {
		const { status, body } = await toggle(person, admin, { isActive: false })
		assert.deepEqual([status, body], [200, { message: 'User deactivated successfully', isActive: false }])
	}
	const written = await app.context.db`select 1 from admin_actions where subject_id = ${person.userId}`
	assert.equal(written.length, 1)
})

test('users.remove hides the user, ends the sessions, frees the address and keeps the money records', async () => {
	const person = await account(app.context)
	await app.call(wallet.recharge, { params: { userId: person.userId }, body: { amount: 70 } }, admin)
	await campaignRow(app.context.db, person.accountId, { status: 'processing' })
	const { status, body } = await remove(person)
	assert.deepEqual([status, body], [200, { message: 'User deleted successfully' }])
	assert.equal(await statusOf(person), 401)
	assert.equal((await app.call(auth.login, { body: person })).status, 401)
	assert.deepEqual(
		[...(await statesOf(person.accountId))],
		[{ status: 'paused', reason: 'The account was deleted by an administrator.' }],
	)
	const query = { page: 1, limit: 10, search: person.email }
	assert.equal((await app.call(users.list, { query }, admin)).body.total, 0)
	const history = await app.call(wallet.history, { params: { userId: person.userId } }, admin)
	assert.deepEqual(
		history.body.map((row) => row.amount),
		[70],
	)
	const again = { name: 'Same Address', email: person.email, password: 'secret' }
	assert.equal((await app.call(auth.createUser, { body: again }, admin)).status, 200)
})

test('update, toggleStatus and remove return 404 for a deleted and for an unknown user', async () => {
	const gone = await account(app.context)
	await remove(gone)
	for (const person of [gone, { ...gone, userId: '999999999' }]) {
		for (const answer of [await edit(person, {}), await toggle(person), await remove(person)]) {
			assert.deepEqual([answer.status, answer.body.message], [404, 'User not found'])
		}
	}
})

test('an admin gets 400 for deactivating, deleting or demoting the own account, and 200 for changing the own name', async () => {
	await app.signIn('admin')
	const me = await app.signIn('admin')
	const said = [
		await toggle(me, me),
		await edit(me, { role: 'admin', isActive: false }, me),
		await remove(me, me),
		await edit(me, { role: 'user' }, me),
	].map(({ status, body }) => [status, body.message])
	assert.deepEqual(said, [
		[400, 'You cannot deactivate your own account'],
		[400, 'You cannot deactivate your own account'],
		[400, 'You cannot delete your own account'],
		[400, 'You cannot change your own role'],
	])
	assert.equal((await edit(me, { role: 'admin', name: 'Renamed' }, me)).status, 200)
	assert.equal(await statusOf(me), 200)
})

test('users.toggleStatus returns 401 to an admin who becomes a user while the call waits for the lock', async () => {
	const { db } = app.context
	const [asking, person] = [await app.signIn('admin'), await account(app.context)]
	let answer: ReturnType<typeof toggle> | undefined
	await transaction(db, async (sql) => {
		await lockUsers(sql)
		answer = toggle(person, asking)
		await until(async () => (await db`select 1 from pg_locks where not granted and locktype = 'advisory'`).length > 0)
		await sql`update users set role = 'user' where id = ${asking.userId}`
	})
	assert.equal((await answer)?.status, 401)
	assert.equal(await statusOf(person), 200)
})

test('users.remove of the last active admin returns 409, also when two admins remove each other concurrently', async () => {
	const fresh = await startTestApp()
	try {
		const last = await fresh.signIn('admin')
		const attempt = (endpoint: typeof users.toggleStatus | typeof users.remove) =>
			fresh.call(endpoint, { params: { id: last.userId } }, last)
		const body = { name: last.name, email: last.email, role: 'user' as const, isActive: true }
		const said = [
			await attempt(users.toggleStatus),
			await attempt(users.remove),
			await fresh.call(users.update, { params: { id: last.userId }, body }, last),
		].map((answer) => [answer.status, answer.body.message])
		assert.deepEqual(said, [
			[409, 'The last active admin cannot be deactivated'],
			[409, 'The last active admin cannot be deleted'],
			[409, 'The last active admin cannot be made a user'],
		])
		const other = await fresh.signIn('admin')
		const answers = await Promise.all([
			fresh.call(users.toggleStatus, { params: { id: other.userId } }, last),
			fresh.call(users.remove, { params: { id: last.userId } }, other),
		])
		assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
		const [left] = await fresh.context.db`
			select count(*)::int as admins from users where role = 'admin' and is_active and deleted_at is null
		`
		assert.deepEqual(left, { admins: 1 })
	} finally {
		await fresh.close()
	}
})

test('users.update of the role ends the user’s sessions, and pauses the campaigns of a user who becomes an admin', async () => {
	const person = await account(app.context)
	await campaignRow(app.context.db, person.accountId, { status: 'processing' })
	assert.equal((await edit(person, { role: 'admin' })).body.user.role, 'admin')
	assert.equal(await statusOf(person), 401)
	const reason = 'The account was made an admin by an administrator.'
	assert.deepEqual(await statesOf(person.accountId), [{ status: 'paused', reason }])
	const { body: session } = await app.call(auth.login, { body: person })
	assert.equal((await app.call(users.list, { query: { page: 1, limit: 10, search: '' } }, session)).status, 200)
	assert.equal((await edit(person, { role: 'user' })).status, 200)
	assert.equal((await app.call(users.me, {}, session)).status, 401)
})

test('the audit trail has each change with actor, subject, details and address', async () => {
	const boss = await account(app.context, { role: 'admin', name: 'Trail Boss' })
	const body = { name: 'Tara', email: 'tara@example.com', password: 'secret' }
	const { body: created } = await app.call(auth.createUser, { body }, boss)
	const tara = { ...boss, userId: created.user._id, name: 'Tara', email: 'tara@example.com' }
	await edit(tara, { name: 'Tara Sen', role: 'admin' }, boss)
	await edit(tara, { name: 'Tara Sen', role: 'admin' }, boss)
	await toggle(tara, boss)
	await toggle(tara, boss)
	await remove(tara, boss)
	await remove(boss, boss)
	const query = { page: 1, limit: 10, search: 'trail boss' }
	const { body: trail } = await app.call(auth.adminActions, { query }, admin)
	assert.deepEqual(
		trail.actions.map(({ action, details }) => [action, details]),
		[
			['user-deleted', null],
			['user-activated', null],
			['user-deactivated', null],
			['user-edited', 'name Tara → Tara Sen; role user → admin'],
			['user-created', 'role: user'],
		],
	)
	const [first] = trail.actions
	assert.deepEqual(first?.actor, { name: 'Trail Boss', email: boss.email })
	assert.deepEqual(first?.subject, { name: 'Tara Sen', email: 'tara@example.com' })
	assert.equal(first?.ip, '127.0.0.1')
	assert.ok(Date.now() - Date.parse(first?.createdAt ?? '') < 60_000)
	assert.ok(!JSON.stringify(trail).includes('secret'))
})

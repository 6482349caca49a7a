import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { auth, MAX_COLLEAGUES, type ColleagueSeat } from '#features/auth/contract.ts'
import { accountMails } from '#features/auth/server/mails.ts'
import { contacts } from '#features/contacts/contract.ts'
import { eraseDeletedAccounts } from '#features/privacy/server/account/erase-account.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { LIVE_PATH } from '#lib/live.ts'
import { account, colleague, contact, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { setUpFactor } from '#test/scenes/second-factor.ts'
import { PATIENCE_MS, until } from '#test/until.ts'
import { colleagues } from '../colleague-contract.ts'

const app = await launchTestApp()
await app.runJobs(accountMails(app.context))
const [admin, stranger] = [await app.signIn('admin'), await app.signIn('user')]
const password = 'blue kettle 41'

let made = 0
const owner = () => account(app.context, { balancePaise: 5000 })
const newAddress = () => `invited${++made}@example.com`
const NAME = 'https://evil.example'

async function invite(boss: TestAccount, email = newAddress(), seat: ColleagueSeat = 'agent') {
	const body = { name: NAME, email, seat, currentPassword: boss.password }
	const { status } = await app.call(colleagues.invite, { body }, boss)
	return { email, status }
}

const listOf = async (boss: TestAccount) => (await app.call(colleagues.list, {}, boss)).body.colleagues

/** Waits for the mail with this number to the address. Returns the token of its link. */
async function tokenIn(email: string, count = 1): Promise<string> {
	await until(async () => (await mailsTo(app.context, email)).length >= count)
	return resetTokenOf((await mailsTo(app.context, email))[count - 1])
}

const choose = (token: string) => app.call(auth.resetPassword, { body: { token, password } })
const login = (email: string, typed = password) => app.call(auth.login, { body: { email, password: typed } })
const statusOf = async (person: { token: string }) => (await app.call(users.me, {}, person)).status

test('a colleague who accepts the mailed invitation signs in as a user of the owner’s account, with the seat beside the role', async () => {
	const boss = await owner()
	await contact(app.context.db, boss.accountId)
	const { email, status } = await invite(boss, newAddress(), 'manager')
	assert.equal(status, 200)
	assert.equal((await login(email)).status, 401)
	const token = await tokenIn(email)
	assert.doesNotMatch((await mailsTo(app.context, email)).join(), /evil/)
	await tokenIn(boss.email)
	assert.match((await mailsTo(app.context, boss.email)).join(), /^Subject: A colleague was invited to your account$/m)
	assert.equal((await choose(token)).status, 200)
	const { body } = await login(email)
	assert.deepEqual([body.user.role, body.user.seat, body.user.walletBalance], ['user', 'manager', 50])
	const { total } = (await app.call(contacts.count, {}, body)).body
	const history = await app.call(wallet.history, { params: { userId: body.user.id } }, body)
	const others = await app.call(wallet.history, { params: { userId: boss.userId } }, body)
	assert.deepEqual([total, history.body.length, others.status], [1, 1, 404])
	assert.deepEqual(
		(await listOf(boss)).map(({ email: known, seat, isInvited }) => [known, seat, isInvited]),
		[[email, 'manager', false]],
	)
})

test('an agent sees no balance at sign-in or in the profile', async () => {
	const agent = await colleague(app.context, await owner(), 'agent')
	const { body } = await login(agent.email, agent.password)
	assert.deepEqual([body.user.seat, body.user.walletBalance], ['agent', 0])
	assert.equal((await app.call(users.me, {}, agent)).body.walletBalance, 0)
})

test('an invitation is refused the second time, after it was mailed again, after its expiry and after the removal', async () => {
	const boss = await owner()
	const used = await tokenIn((await invite(boss)).email)
	assert.equal((await choose(used)).status, 200)
	const { email } = await invite(boss)
	const first = await tokenIn(email)
	const id = (await listOf(boss)).at(-1)?._id ?? ''
	assert.equal((await app.call(colleagues.inviteAgain, { params: { id } }, boss)).status, 200)
	const expired = await tokenIn(email, 2)
	await app.context.db`update password_resets set expires_at = now() where user_id = ${id}`
	const removed = await tokenIn((await invite(boss)).email)
	const last = (await listOf(boss)).at(-1)?._id ?? ''
	assert.equal((await app.call(colleagues.remove, { params: { id: last } }, boss)).status, 200)
	const statuses = []
	for (const token of [used, first, expired, removed]) statuses.push((await choose(token)).status)
	assert.deepEqual(statuses, [400, 400, 400, 400])
})

test('an invitation that another user opens sets the password of the invited colleague only', async () => {
	const { email } = await invite(await owner())
	const body = { token: await tokenIn(email), password }
	assert.equal((await app.call(auth.resetPassword, { body }, stranger)).status, 200)
	assert.equal((await login(stranger.email)).status, 401)
	assert.equal(await statusOf(stranger), 200)
	assert.equal((await login(email)).status, 200)
})

test('colleagues of another account are unknown: a stranger’s calls return 404 and change nothing', async () => {
	const boss = await owner()
	await invite(boss)
	const params = { id: (await listOf(boss))[0]?._id ?? '' }
	const body = { seat: 'manager' as const, currentPassword: stranger.password }
	const statuses = [
		(await app.call(colleagues.setSeat, { params, body }, stranger)).status,
		(await app.call(colleagues.inviteAgain, { params }, stranger)).status,
		(await app.call(colleagues.remove, { params }, stranger)).status,
		(await app.call(colleagues.remove, { params: { id: boss.userId } }, boss)).status,
	]
	assert.deepEqual(statuses, [404, 404, 404, 404])
	assert.equal((await listOf(boss))[0]?.seat, 'agent')
})

test('colleagues.invite returns 400 without proof, and 409 for a taken address and above the limit', async () => {
	const boss = await owner()
	const body = { name: 'Asha', email: newAddress(), seat: 'manager' as const }
	assert.equal((await app.call(colleagues.invite, { body }, boss)).status, 400)
	assert.equal((await invite(boss, stranger.email)).status, 409)
	await Promise.all(Array.from({ length: MAX_COLLEAGUES }, () => colleague(app.context, boss, 'agent')))
	assert.equal((await invite(boss)).status, 409)
	assert.equal((await listOf(boss)).length, MAX_COLLEAGUES)
})

test('a removed colleague’s stream ends without a heartbeat, their session is refused, and the address is free', async (t) => {
	const boss = await owner()
	const { email, token, userId } = await colleague(app.context, boss, 'manager')
	// The heartbeat of this stream never comes. It would end the stream too, but later.
	t.mock.timers.enable({ apis: ['setInterval'] })
	const response = await fetch(app.url + LIVE_PATH, { headers: { authorization: `Bearer ${token}` } })
	t.mock.timers.reset()
	const ended = response.text().then(() => true)
	assert.equal((await app.call(colleagues.remove, { params: { id: userId } }, boss)).status, 200)
	assert.ok(await Promise.race([ended, sleep(PATIENCE_MS, false, { ref: false })]))
	assert.equal(await statusOf({ token }), 401)
	assert.equal((await invite(boss, email)).status, 200)
})

test('colleagues.setSeat ends the sessions, and the next one has the new seat', async () => {
	const boss = await owner()
	const person = await colleague(app.context, boss, 'agent')
	const body = { seat: 'manager' as const, currentPassword: boss.password }
	assert.equal((await app.call(colleagues.setSeat, { params: { id: person.userId }, body }, boss)).status, 200)
	assert.equal(await statusOf(person), 401)
	assert.equal((await login(person.email, person.password)).body.user.seat, 'manager')
})

test('colleagues may not sign in while the owner is deactivated, and are deleted with the owner', async () => {
	const boss = await owner()
	const person = await colleague(app.context, boss, 'manager')
	const params = { id: boss.userId }
	await app.call(users.toggleStatus, { params, body: { isActive: false } }, admin)
	assert.deepEqual([await statusOf(person), (await login(person.email, person.password)).status], [401, 403])
	await app.call(users.toggleStatus, { params, body: { isActive: true } }, admin)
	assert.equal(await statusOf(person), 200)
	await app.call(users.remove, { params }, admin)
	assert.deepEqual([await statusOf(person), (await login(person.email, person.password)).status], [401, 401])
	assert.equal((await invite(stranger, person.email)).status, 200)
})

test('an admin sees the colleagues of a user and resets their second factor, and changes nothing else', async () => {
	const boss = await owner()
	const person = await colleague(app.context, boss, 'agent')
	await setUpFactor(app, person)
	const params = { id: person.userId }
	const listed = await app.call(colleagues.ofUser, { params: { id: boss.userId } }, admin)
	assert.deepEqual(
		listed.body.colleagues.map(({ email, hasSecondFactor }) => [email, hasSecondFactor]),
		[[person.email, true]],
	)
	const query = { page: 1, limit: 10, search: person.email }
	assert.equal((await app.call(users.list, { query }, admin)).body.total, 0)
	const edit = { name: 'Asha', email: person.email, role: 'admin', isActive: true } as const
	const statuses = [
		(await app.call(users.resetSecondFactor, { params }, admin)).status,
		(await app.call(users.update, { params, body: edit }, admin)).status,
		(await app.call(users.remove, { params }, admin)).status,
		(await app.call(auth.inviteAgain, { params }, admin)).status,
		(await app.call(wallet.recharge, { params: { userId: person.userId }, body: { amount: 1 } }, admin)).status,
	]
	assert.deepEqual(statuses, [200, 404, 404, 404, 404])
	const { body: again } = await login(person.email, person.password)
	assert.equal(again.user.seat, 'agent')
	// The own profile keeps the seat.
	const body = { name: 'Asha', email: person.email }
	assert.equal((await app.call(users.updateMe, { body }, again)).body.user.seat, 'agent')
})

test('the erasure of a removed colleague leaves the data of the account, and all money adds up', async () => {
	const { db } = app.context
	const boss = await owner()
	const person = await colleague(app.context, boss, 'manager')
	await contact(db, boss.accountId)
	await app.call(colleagues.remove, { params: { id: person.userId } }, boss)
	await db`update schema_migrations set applied_at = now() - interval '2 years'`
	await db`update users set deleted_at = now() - interval '91 days' where id = ${person.userId}`
	await eraseDeletedAccounts({ ...app.context, keepAccountDays: 90 })
	const [row] = await db<{ email: string; isErased: boolean }[]>`
		select email, erased_at is not null as "isErased" from users where id = ${person.userId}
	`
	assert.deepEqual(row, { email: '', isErased: true })
	assert.equal((await app.call(contacts.count, {}, boss)).body.total, 1)
	const [trail] = await db<{ named: number }[]>`
		select count(*) as named from admin_actions where subject_id = ${person.userId} and subject_email <> ''
	`
	assert.equal(trail?.named, 0)
	assert.deepEqual(await reconcileMoney(db), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { stopClock } from '#test/stop-clock.ts'
import { users, type Business, type ProfileBody } from '../contract.ts'

const app = await launchTestApp()

const save = (person: TestAccount, body: Partial<ProfileBody>) =>
	app.call(users.updateMe, { body: { name: person.name, email: person.email, ...body } }, person)

test('users.updateMe changes name and address and ignores every other field', async () => {
	const person = await account(app.context, { balancePaise: 100 })
	const body = { name: ' New Name ', email: 'new.name@example.com', role: 'admin', isActive: false }
	const { status, body: answer } = await save(person, body)
	assert.deepEqual([status, answer.message], [200, 'Profile updated successfully'])
	const { body: me } = await app.call(users.me, {}, person)
	assert.deepEqual(answer.user, me)
	assert.deepEqual(
		[me.name, me.email, me.role, me.isActive, me.walletBalance],
		['New Name', 'new.name@example.com', 'user', true, 1],
	)
})

test('users.updateMe returns 400 with the message of every invalid field at once', async () => {
	const person = await account(app.context)
	const cases: [Partial<ProfileBody>, Record<string, string>][] = [
		[
			{ name: ' ', email: '' },
			{ name: 'Name is required', email: 'Email is required' },
		],
		[{ email: 'nobody' }, { email: 'Invalid email format' }],
		[{ newPassword: 'longer' }, { currentPassword: 'Current password is required' }],
		[{ currentPassword: 'correct horse' }, { newPassword: 'New password is required' }],
		[
			{ currentPassword: 'correct horse', newPassword: 'short' },
			{ newPassword: 'Password must be at least 6 characters' },
		],
		[
			{ name: '', newPassword: 'short' },
			{
				name: 'Name is required',
				currentPassword: 'Current password is required',
				newPassword: 'Password must be at least 6 characters',
			},
		],
	]
	for (const [body, fields] of cases) {
		const answer = await save(person, body)
		assert.equal(answer.status, 400)
		assert.deepEqual(answer.body, { message: Object.values(fields)[0], fields })
	}
})

const detailsOf = ({ businessName, businessAddress, businessState, gstin }: Business) => ({
	businessName,
	businessAddress,
	businessState,
	gstin,
})

test('users.updateMe and users.update save the business details, keep missing fields, and remove empty ones', async () => {
	const person = await account(app.context)
	const admin = await app.signIn('admin')
	const first = {
		businessName: ' शर्मा टेक्सटाइल ',
		businessAddress: '14 MG Road\nPune 411001',
		gstin: '27 aapfu0939f1zv',
	}
	const kept = {
		businessName: 'शर्मा टेक्सटाइल',
		businessAddress: '14 MG Road\nPune 411001',
		businessState: '27',
		gstin: '27AAPFU0939F1ZV',
	}
	assert.deepEqual(detailsOf((await save(person, first)).body.user), kept)
	assert.deepEqual(detailsOf((await save(person, {})).body.user), kept)
	const { name, email } = person
	const edited = {
		params: { id: person.userId },
		body: { name, email, role: 'user', isActive: true, gstin: '' },
	} as const
	assert.deepEqual(detailsOf((await app.call(users.update, edited, admin)).body.user), { ...kept, gstin: '' })
	const [trail] = await app.context.db`select details from admin_actions where subject_id = ${person.userId}`
	assert.deepEqual(trail, { details: 'GSTIN 27AAPFU0939F1ZV → none' })
})

test('the state follows the GSTIN, stays when the GSTIN is removed, and is free without one', async () => {
	const person = await account(app.context)
	const admin = await app.signIn('admin')
	const stateAfter = async (change: Partial<Business>) => (await save(person, change)).body.user.businessState
	assert.equal(await stateAfter({ businessState: '07' }), '07')
	assert.equal(await stateAfter({ gstin: '29AAGCB7383J1Z4' }), '29')
	assert.equal(await stateAfter({ businessState: '' }), '29')
	const refused = await save(person, { businessState: '27' })
	const message = 'The GSTIN belongs to Karnataka (29). Change the state or the GSTIN.'
	assert.equal(refused.status, 400)
	assert.deepEqual((refused.body as { fields?: unknown }).fields, { businessState: message })
	const { name, email } = person
	const body = { name, email, role: 'user', isActive: true, businessState: '29' } as const
	const edit = (change: Partial<Business>, unchanged: 'businessState'[]) =>
		app.call(users.update, { params: { id: person.userId }, body: { ...body, ...change, unchanged } }, admin)
	const moved = await edit({ gstin: '27AAPFU0939F1ZV' }, ['businessState'])
	assert.equal(moved.body.user.businessState, '27', 'an unchanged field of a form does not refuse a new GSTIN')
	assert.equal(await stateAfter({ gstin: '' }), '27')
	assert.equal(await stateAfter({ businessState: '07' }), '07')
	assert.equal(await stateAfter({ businessState: '' }), '')
	for (const businessState of ['28', '7', 'Delhi', '07 27'])
		assert.equal((await save(person, { businessState })).status, 400, businessState)
	const trail = await app.context.db`select details from admin_actions where subject_id = ${person.userId}`
	assert.deepEqual(trail, [
		{ details: 'state Karnataka (29) → Maharashtra (27); GSTIN 29AAGCB7383J1Z4 → 27AAPFU0939F1ZV' },
	])
})

test('users.updateMe returns 400 for a GSTIN with a wrong check character and an address of seven lines', async () => {
	const person = await account(app.context)
	const { status, body } = await save(person, { gstin: '27AAPFU0939F1ZW', businessAddress: '1\n2\n3\n4\n5\n6\n7' })
	assert.equal(status, 400)
	assert.deepEqual((body as { fields?: unknown }).fields, {
		gstin: 'This GSTIN is not valid. Check its 15 characters.',
		businessAddress: 'At most 6 lines are allowed',
	})
})

test('users.updateMe returns 409 for another user’s address', async () => {
	const [person, other] = [await account(app.context), await account(app.context)]
	const { status, body } = await save(person, { email: other.email })
	assert.deepEqual([status, body.message], [409, 'A user with this email already exists'])
})

test('users.updateMe with a new password ends the other sessions, keeps this one, and invalidates the old password', async () => {
	const person = await account(app.context)
	const { body: other } = await app.call(auth.login, { body: person })
	const changed = await save(person, { currentPassword: person.password, newPassword: 'brand new' })
	assert.equal(changed.status, 200)
	assert.equal((await app.call(users.me, {}, person)).status, 200)
	assert.equal((await app.call(users.me, {}, other)).status, 401)
	assert.equal((await app.call(auth.login, { body: person })).status, 401)
	assert.equal((await app.call(auth.login, { body: { ...person, password: 'brand new' } })).status, 200)
})

test('users.updateMe called twice concurrently with different new passwords stores one, and refuses the other', async () => {
	const person = await account(app.context)
	const both = ['brand new', 'another one']
	const answers = await Promise.all(
		both.map((newPassword) => save(person, { currentPassword: person.password, newPassword })),
	)
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
	const stored = both[answers.findIndex(({ status }) => status === 200)] ?? ''
	assert.equal((await app.call(auth.login, { body: { ...person, password: stored } })).status, 200)
})

test('users.updateMe with a wrong current password changes nothing, and returns 429 after repeated guesses', async (t) => {
	stopClock(t)
	const person = await account(app.context)
	const guess = { name: 'Intruder', currentPassword: 'a guess', newPassword: 'brand new' }
	const { status, body } = await save(person, guess)
	assert.deepEqual([status, body.message], [400, 'Current password is incorrect'])
	assert.deepEqual((body as { fields?: unknown }).fields, { currentPassword: 'Current password is incorrect' })
	assert.equal((await app.call(users.me, {}, person)).body.name, person.name)
	const more = await Promise.all(Array.from({ length: 6 }, () => save(person, guess)))
	assert.equal(more.filter((answer) => answer.status === 429).length, 2)
	assert.match(
		more.find((answer) => answer.status === 429)?.body.message ?? '',
		/^Too many attempts\. Please try again in (1 second|([2-9]|\d\d) seconds)\.$/,
	)
})

test('auth.sessions omits an expired session', async () => {
	const person = await app.signIn('user')
	const { body: other } = await app.call(auth.login, { body: { email: person.email, password: person.password } })
	const count = async () => (await app.call(auth.sessions, {}, other)).body.sessions.length
	assert.equal(await count(), 2)
	const first = sha256(person.token)
	await app.context.db`update sessions set expires_at = now() where token_hash = ${first}`
	assert.equal(await count(), 1)
})

test('auth.sessions returns device, address and time and marks the calling session, and logoutEverywhere ends all', async () => {
	const person = await account(app.context)
	const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'
	const response = await fetch(app.url + auth.login.path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': agent, 'x-forwarded-for': '198.51.100.7' },
		body: JSON.stringify({ email: person.email, password: person.password }),
	})
	const there = (await response.json()) as { token: string }
	const { body } = await app.call(auth.sessions, {}, there)
	assert.deepEqual(
		body.sessions.map(({ device, ip, isThis }) => ({ device, ip, isThis })),
		[
			{ device: 'Chrome on Windows', ip: '198.51.100.7', isThis: true },
			{ device: 'Unknown device', ip: '192.0.2.1', isThis: false },
		],
	)
	const stranger = await app.signIn('user')
	assert.equal((await app.call(auth.sessions, {}, stranger)).body.sessions.length, 1)
	const ended = await app.call(auth.logoutEverywhere, {}, there)
	assert.deepEqual(ended.body, { message: 'You are signed out everywhere' })
	for (const session of [there, person]) assert.equal((await app.call(users.me, {}, session)).status, 401)
	assert.equal((await app.call(users.me, {}, stranger)).status, 200)
})

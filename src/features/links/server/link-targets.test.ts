import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { auth } from '#features/auth/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { countedTarget, hasCountedLink } from '#features/templates/counted-link.ts'
import { users } from '#features/users/contract.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/durations.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { splitStatements } from '#lib/server/db/schema/split-statements.ts'
import { verbatim } from '#lib/server/statement.ts'
import { account, campaignRow, template, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { linkedComponents } from '#test/scenes/counted-link.ts'
import { until } from '#test/until.ts'
import { createTargetCache, type LinkTargets } from './link-targets.ts'

const TARGET = 'https://shop.example/sale'
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'

const app = await launchTestApp()
const { db } = app.context
const admin = await app.signIn('admin')

let made = 0

/** Creates an account with a counted link in a template and in a campaign; returns the tokens of both. */
async function linkedAccount() {
	const person = await account(app.context)
	const { accountId } = person
	const named = { name: `linked_${++made}`, language: 'en' }
	const described = await linkedComponents(app.context, accountId, { ...named, target: TARGET })
	const { id, components } = await template(db, accountId, { ...named, components: described })
	const campaignId = await campaignRow(db, accountId)
	await db`
		update campaigns set template = template || ${JSON.stringify({ components })}::jsonb
		where account_id = ${accountId} and id = ${campaignId}
	`
	const [link] = await db<{ token: string }[]>`select token from template_links where account_id = ${accountId}`
	const example = link?.token ?? ''
	const message = app.context.links.tokenOf({ account: accountId, campaignId, seq: 1, button: 0 })
	return { person, accountId, id, campaignId, example, message }
}

/** Follows a link; returns the status, the redirect's target and the page's title. */
async function follow(token: string) {
	const response = await fetch(`${app.url}/l/${token}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
	const [, title = null] = /<h1>(.*)<\/h1>/.exec(await response.text()) ?? []
	return [response.status, response.headers.get('location'), title]
}

const LEADS = [302, TARGET, null]
const UNKNOWN = [404, null, 'This link does not work']
const STOPPED = [404, null, 'This link is switched off']

const setLinks = ({ userId }: TestAccount, body: { isStopped: boolean; reason?: string }, as = admin) =>
	app.call(users.setLinks, { params: { id: userId }, body }, as)

test('the links of an example and of a message lead to the target of the template', async () => {
	const { example, message } = await linkedAccount()
	assert.deepEqual(await follow(example), LEADS)
	assert.deepEqual(await follow(message), LEADS)
})

const ENDINGS: Record<string, (id: AccountId) => PromiseLike<unknown>> = {
	'the template is gone': (id) => db`update templates set gone_at = now() where account_id = ${id}`,
	'the template is deleted': (id) => db`delete from templates where account_id = ${id}`,
	'the template has another example': (id) => db`update templates set components = '[]' where account_id = ${id}`,
	'the template has another name': (id) => db`update templates set name = 'other' where account_id = ${id}`,
	'the link is deleted': (id) => db`delete from template_links where account_id = ${id}`,
	'the account is deactivated': (id) => db`update users set is_active = false where account_id = ${id}`,
	'the account is deleted': (id) => db`update users set deleted_at = now() where account_id = ${id}`,
	'the account is an administrator’s': (id) => db`update users set role = 'admin' where account_id = ${id}`,
	'the stored target is no https address': (id) =>
		db`update template_links set target = 'http://shop.example/' where account_id = ${id}`,
}

for (const [condition, end] of Object.entries(ENDINGS))
	test(`an example shows a plain page when ${condition}`, async () => {
		const { accountId, example } = await linkedAccount()
		await end(accountId)
		assert.deepEqual(await follow(example), UNKNOWN)
	})

test('an example shows a plain page while its template is not stored', async () => {
	const { accountId } = await linkedAccount()
	const named = { name: 'never_created', language: 'en' }
	const components = await linkedComponents(app.context, accountId, { ...named, target: TARGET })
	const [button] = components.at(-1)?.buttons ?? []
	const token = String(button?.['example']).split('/l/')[1] ?? ''
	assert.deepEqual(await follow(token), UNKNOWN)
	await template(db, accountId, { ...named, components })
	assert.deepEqual(await follow(token), LEADS)
})

test('a stored template gets no target from an example that was written at Meta', async () => {
	const [mine, other] = [await linkedAccount(), await linkedAccount()]
	// A byte 0x20, a target and eight bytes where a signature would be.
	const holdsTarget = Buffer.from(' https://evil.example/12345678').toString('base64url')
	const tokens = [holdsTarget, other.example, app.context.links.example(mine.accountId).token, mine.message, '']
	for (const token of tokens) {
		const url = `${app.url}/l/{{1}}`
		const button = { type: 'URL', text: 'Shop', url, example: [`${app.url}/l/${token}`], counted_target: TARGET }
		const components: Component[] = [{ type: 'BUTTONS', buttons: [button] }]
		const stored = await template(db, mine.accountId, { components })
		assert.equal(hasCountedLink(stored.components), false, token)
	}
	assert.deepEqual(await follow(holdsTarget), UNKNOWN)
})

test('setLinks stops all links of one account with a reason, counts no click, and resumes them', async () => {
	const [stopped, other] = [await linkedAccount(), await linkedAccount()]
	const began = await setLinks(stopped.person, { isStopped: true, reason: ' Leads to a fake bank ' })
	assert.equal(began.status, 200, began.body.message)
	assert.equal(began.body.linksStopped?.reason, 'Leads to a fake bank')
	for (const token of [stopped.example, stopped.message]) assert.deepEqual(await follow(token), STOPPED)
	for (const token of [other.example, other.message]) assert.deepEqual(await follow(token), LEADS)
	assert.equal((await setLinks(stopped.person, { isStopped: false })).body.linksStopped, null)
	// The cache retains a stop for five seconds.
	await until(async () => (await follow(stopped.message))[0] === 302)
	await until(async () => (await countClicks(stopped.accountId)) > 0)
	assert.equal(await countClicks(stopped.accountId), 1)
})

async function countClicks(accountId: AccountId): Promise<number> {
	return (await db`select 1 from campaign_clicks where account_id = ${accountId}`).length
}

/** Creates a cache with a database that can be away and a clock that the test sets. */
function movedCache() {
	const state = { isAway: false, nowMs: 0, statements: 0 }
	const sql = ((...statement: Parameters<typeof db>) => {
		if (state.isAway) throw new Error('the database is away')
		state.statements++
		return db(...statement)
	}) as unknown as Sql
	return { state, cache: createTargetCache(sql, { now: () => state.nowMs }) }
}

test('find reads a link once in five seconds, and the first click after them sees a stop', async () => {
	const { person, accountId, campaignId } = await linkedAccount()
	const { state, cache } = movedCache()
	const find = () => cache.find({ account: accountId, campaignId, seq: 1, button: 0 })
	await find()
	const { statements } = state
	await setLinks(person, { isStopped: true, reason: 'Abuse' })
	state.nowMs = 5000
	assert.equal((await find())?.isStopped, false)
	assert.equal(state.statements, statements, 'a retained target needs no statement')
	state.nowMs = 5001
	assert.equal((await find())?.isStopped, true)
})

test('find still returns targets and stops while the database is away', async () => {
	const [leading, stopped] = [await linkedAccount(), await linkedAccount()]
	await setLinks(stopped.person, { isStopped: true, reason: 'Abuse' })
	const { state, cache } = movedCache()
	const links = [leading, stopped].flatMap(({ accountId, campaignId, example }) => [
		{ account: accountId, campaignId, seq: 1, button: 0 },
		{ account: accountId, token: example },
	])
	const find = () => Promise.all(links.map((link) => cache.find(link)))
	const before = await find()
	assert.deepEqual(
		before.map((found) => [found?.isStopped, [...(found?.targets.values() ?? [])]]),
		[
			[false, [TARGET]],
			[false, [TARGET]],
			[true, [TARGET]],
			[true, [TARGET]],
		],
	)
	state.isAway = true
	for (const nowMs of [6000, MINUTE_MS, HOUR_MS]) {
		state.nowMs = nowMs
		assert.deepEqual(await find(), before)
	}
})

const targetsOf = async (found: Promise<LinkTargets | null>) => [...((await found)?.targets.values() ?? [])]

test('find waits for one late reading, then answers from memory until the database reads again', async () => {
	const links = await Promise.all([1, 2, 3].map(linkedAccount))
	const [first, second, third] = links.map(({ accountId, campaignId }) => {
		return { account: accountId, campaignId, seq: 1, button: 0 }
	})
	assert.ok(first && second && third)
	const state = { nowMs: 0 }
	const cache = createTargetCache(db, { now: () => state.nowMs })
	for (const link of [first, second, third]) await cache.find(link)
	await transaction(db, async (inside) => {
		// Readings wait for this lock.
		await inside`lock table campaigns in access exclusive mode`
		state.nowMs = 6000
		const waiting = targetsOf(cache.find(first))
		assert.equal(await Promise.race([waiting, nextTurn('later')]), 'later')
		assert.deepEqual(await waiting, [TARGET])
		assert.deepEqual(await Promise.race([targetsOf(cache.find(second)), nextTurn('later')]), [TARGET])
	})
	await setLinks(links[2]?.person as TestAccount, { isStopped: true, reason: 'Abuse' })
	await until(async () => {
		state.nowMs += 6000
		return (await cache.find(third))?.isStopped === true
	})
})

test('setLinks records and notifies each stop and resumption once, and admins see a stop', async () => {
	const { person } = await linkedAccount()
	for (let times = 0; times < 2; times++) await setLinks(person, { isStopped: true, reason: 'Leads to a fake bank' })
	const query = { page: 1, limit: 10, search: person.email }
	const list = await app.call(users.list, { query: { ...query, sort: 'createdAt', order: 'desc' } }, admin)
	assert.equal(list.body.users[0]?.linksStopped?.reason, 'Leads to a fake bank')
	for (let times = 0; times < 2; times++) await setLinks(person, { isStopped: false })
	const trail = await app.call(auth.adminActions, { query }, admin)
	assert.deepEqual(
		trail.body.actions.map(({ action, details }) => [action, details]).slice(0, 3),
		[
			['links-resumed', null],
			['links-stopped', 'Leads to a fake bank'],
			['user-created', 'role: user'],
		].slice(0, trail.body.actions.length),
	)
	const listed = await app.call(notifications.list, { query: { page: 1 } }, person)
	const texts = listed.body.notifications.map(({ text }) => text)
	assert.equal(texts.filter((text) => text.includes('Leads to a fake bank')).length, 1)
	assert.equal(texts.filter((text) => text.endsWith('work again')).length, 1)
})

test('setLinks asks for a reason of at most 300 characters, and for an admin', async () => {
	const { person, message } = await linkedAccount()
	for (const reason of [undefined, '', '   ', 'x'.repeat(301)]) {
		const { status } = await setLinks(person, { isStopped: true, ...(reason !== undefined && { reason }) })
		assert.equal(status, 400)
	}
	assert.equal((await setLinks(person, { isStopped: true, reason: 'Mine' }, person)).status, 403)
	assert.deepEqual(await follow(message), LEADS)
})

test('the migration stores the targets of older examples for messages, and those examples show a plain page', async () => {
	const { accountId } = await linkedAccount()
	const file = await readFile(new URL('../../../../db/migrations/0090_template_links.sql', import.meta.url), 'utf8')
	const fill = splitStatements(file).at(-1) ?? ''
	const examples = [
		'https://old.example/a?b=c\\d',
		'https://old.example/',
		'https://user@old.example/',
		'http://old.example/',
		'https://old.example/\0\x80',
	].map((target) => Buffer.from(` ${target}12345678`, 'latin1').toString('base64url'))
	const url = `${app.url}/l/{{1}}`
	const withoutTarget = ['', 'IGh0dHBzOi8v', `IGh0dHBzOi8v${'A'.repeat(13)}`, `IGh0dHBzOi8v${'A'.repeat(1000)}`]
	const tokens = [...examples, ...withoutTarget]
	/** Stores a template with this example as a sync does, and returns where its button leads. */
	const sync = async (token: string) => {
		const components = [{ type: 'BUTTONS', buttons: [{ type: 'URL', url, example: [`${app.url}/l/${token}`] }] }]
		const name = `old_${tokens.indexOf(token)}`
		const stored = await template(db, accountId, { templateId: `${accountId}${name}`, name, components })
		return stored.components[0]?.buttons?.map(countedTarget)[0] ?? null
	}
	for (const token of tokens) assert.equal(await sync(token), null)
	await db`delete from template_links`
	await db`${verbatim(fill)}`
	const targets = []
	for (const token of tokens) targets.push(await sync(token))
	assert.deepEqual(targets, [
		'https://old.example/a?b=c\\d',
		'https://old.example/',
		...tokens.slice(2).map(() => null),
	])
	for (const token of examples) assert.deepEqual(await follow(token), UNKNOWN)
})

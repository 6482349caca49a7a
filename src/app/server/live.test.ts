import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '#lib/durations.ts'
import { LIVE_PATH } from '#lib/live.ts'
import type { AccountId } from '#lib/server/db.ts'
import { announceLive, type AccountEvent } from '#lib/server/db/channels/channels.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { EventHistory } from './event-history.ts'
import { createHttp } from './http.ts'

let app: TestApp
let startedAtMs = 0
before(async () => {
	app = await startTestApp()
	startedAtMs = performance.now()
})
after(() => app.close())

interface Stream {
	events: { id: string; kind: string | undefined }[]
	close(): void
}

/** Opens a stream of one process, resuming from an event id, or from a number of milliseconds ago. */
async function follow(url: string, token: string, from?: string | number): Promise<Stream> {
	const closing = new AbortController()
	const lastId = typeof from === 'string' ? from : undefined
	const response = await fetch(url + LIVE_PATH + (typeof from === 'number' ? `?lastMs=${from}` : ''), {
		headers: { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) },
		signal: closing.signal,
	})
	const events: Stream['events'] = []
	const read = async () => {
		let text = ''
		for await (const chunk of response.body ?? []) {
			text += Buffer.from(chunk).toString()
			const parts = text.split('\n\n')
			text = parts.pop() ?? ''
			for (const part of parts) {
				const [, id = '', data = ''] = /^id: (.*)\ndata: (.*)$/m.exec(part) ?? []
				if (id) events.push({ id, kind: (JSON.parse(data) as { kind?: string }).kind })
			}
		}
	}
	read().catch(() => {})
	return { events, close: () => closing.abort() }
}

test('a stream that reconnects to any process receives its missed events once and in order', async (t) => {
	const { db } = app.context
	const { accountId, token } = await app.signIn('user')
	const second = await createHttp(app.context)
	const secondUrl = await second.listen({ host: '127.0.0.1', port: 0 })
	t.after(() => second.close())
	const first = await follow(app.url, token)
	announceLive(db, accountId, { kind: 'chat', id: '919800000001' })
	await until(() => first.events.at(-1)?.kind === 'chat')
	const lastId = first.events.at(-1)?.id ?? ''
	first.close()
	const watcher = await follow(app.url, token)
	announceLive(db, accountId, { kind: 'wallet' })
	announceLive(db, accountId, { kind: 'templates' })
	await until(() => watcher.events.some(({ kind }) => kind === 'templates'))
	watcher.close()
	for (const url of [app.url, secondUrl]) {
		const back = await follow(url, token, lastId)
		await until(() => back.events.length >= 2)
		assert.deepEqual(
			back.events.map(({ kind }) => kind),
			['wallet', 'templates'],
		)
		back.close()
	}
})

test('a stream that reconnects with an unknown event id receives one resync', async () => {
	const { token } = await app.signIn('user')
	const back = await follow(app.url, token, 'from-before-a-restart')
	await until(() => back.events.length > 0)
	// Later events of the account may follow it.
	assert.equal(back.events[0]?.kind, 'resync')
	assert.equal(back.events.filter(({ kind }) => kind === 'resync').length, 1)
	back.close()
	const again = await follow(app.url, token, back.events[0]?.id)
	await until(() => again.events.length > 0)
	assert.notEqual(again.events[0]?.kind, 'resync')
	again.close()
})

const has = (stream: Stream, wanted: string) => stream.events.some(({ kind }) => kind === wanted)

test('a new stream receives the events of the milliseconds that it names, and none of other accounts', async () => {
	const { db } = app.context
	const [mine, other] = [await app.signIn('user'), await app.signIn('user')]
	const watchers = [await follow(app.url, mine.token), await follow(app.url, other.token)] as const
	announceLive(db, mine.accountId, { kind: 'wallet' })
	announceLive(db, other.accountId, { kind: 'templates' })
	await until(() => has(watchers[0], 'wallet') && has(watchers[1], 'templates'))
	const late = await follow(app.url, mine.token, Math.floor(performance.now() - startedAtMs))
	await until(() => late.events.length > 0)
	assert.ok(has(late, 'wallet') && !has(late, 'templates') && !has(late, 'resync'))
	for (const each of [...watchers, late]) each.close()
})

test('a new stream that names a time before the start of the process receives resync', async () => {
	const { accountId, token } = await app.signIn('user')
	// A new account's welcome notification may arrive late. Waiting for this event ensures that it has, since events keep
	// their order.
	const earlier = await follow(app.url, token)
	announceLive(app.context.db, accountId, { kind: 'wallet' })
	await until(() => has(earlier, 'wallet'))
	earlier.close()
	const opened = await follow(app.url, token, DAY_MS)
	await until(() => opened.events.length > 0)
	assert.deepEqual(
		opened.events.map(({ kind }) => kind),
		['resync'],
	)
	opened.close()
})

const event = (accountId: AccountId, id: string): AccountEvent => ({ accountId, id, event: { kind: 'wallet' } })

test('EventHistory.since returns an account’s own events only, and null after a gap', () => {
	const history = new EventHistory()
	const [own, other] = [1 as AccountId, 2 as AccountId]
	const start = history.position()
	history.add(event(own, 'a'))
	history.add(event(other, 'b'))
	history.add(event(own, 'c'))
	assert.deepEqual(
		history.since(own, start)?.map(({ id }) => id),
		['a', 'c'],
	)
	assert.deepEqual(history.since(other, 'b'), [])
	history.clear()
	assert.equal(history.since(own, 'a'), null)
	assert.equal(history.since(own, start), null)
})

test('EventHistory.ofLast omits earlier events, and returns null for a time before a gap', (t) => {
	let now = 1000
	t.mock.method(performance, 'now', () => now)
	const history = new EventHistory()
	const [own, other] = [1 as AccountId, 2 as AccountId]
	for (const [at, accountId, id] of [
		[2000, own, 'a'],
		[3000, other, 'b'],
		[4000, own, 'c'],
	] as const) {
		now = at
		history.add(event(accountId, id))
	}
	const idsOf = (ms: number) => history.ofLast(own, ms)?.map(({ id }) => id)
	now = 5000
	assert.deepEqual(idsOf(1000), ['c'])
	assert.deepEqual(idsOf(999), [])
	assert.deepEqual(idsOf(3000), ['a', 'c'])
	assert.deepEqual(idsOf(3999), ['a', 'c'])
	assert.equal(idsOf(4000), undefined)
	history.clear()
	assert.equal(idsOf(1), undefined)
})

test('EventHistory.ofLast returns null for a time before its oldest event', (t) => {
	let now = 0
	t.mock.method(performance, 'now', () => now)
	const history = new EventHistory()
	for (; now < 10_000; now++) history.add(event(1 as AccountId, String(now)))
	assert.equal(history.ofLast(1 as AccountId, 5000)?.length, 5000)
	assert.equal(history.ofLast(1 as AccountId, 5001), null)
})

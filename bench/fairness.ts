import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { LIVE_PATH } from '#lib/live.ts'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { addContacts, linesOf, openPayer, p95 } from './campaigns-data.ts'
import { sampleContact } from './contacts-data.ts'
import { startServerProcess } from './server-process.ts'

/**
 * One account that does all it may at once, and more (lists, counts, exports, analyses of files, campaigns from files, event
 * streams), beside another one that looks at its screens: the other's 95th percentile may be twice what it is alone, and
 * nobody gets a 5xx. Both are measured in turn, several times, in one run.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 50_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4)
const CALLS_PER_ROUND = Number(process.env.BENCH_CALLS ?? 150)
const WARM_UP_CALLS = 30
/** As somebody who goes from screen to screen. */
const PAUSE_MS = 20
const STREAMS = 100

const database = await createTestDatabase()
const db = database.sql
const server = await startServerProcess(database.url)
const [greedy, other] = [await openPayer(db), await openPayer(db)]
for (const { ownerId } of [greedy, other]) await addContacts(db, ownerId, ROWS)
await db`vacuum analyze`
const file = new Blob([...csvLines()], { type: 'text/csv' })
const bystander = new Pool(server.url, { connections: 1 })
const statuses = new Map<string, number>()

const SCREENS = [
	'/api/contacts?page=1&limit=10',
	'/api/campaigns?page=1&limit=10',
	'/api/campaigns/dashboard',
	'/api/users/wallet/balance',
	'/api/notifications',
	'/api/templates?page=1&limit=10',
]

await look(WARM_UP_CALLS)
const [alone, beside]: [number[], number[]] = [[], []]
for (let round = 0; round < ROUNDS; round++) {
	alone.push(...(await look(CALLS_PER_ROUND)))
	const load = startLoad()
	await sleep(2000)
	beside.push(...(await look(CALLS_PER_ROUND)))
	await load.stop()
}
const ratio = p95(beside) / p95(alone)
console.log(`alone    p95 ${p95(alone).toFixed(1)} ms of ${formatCount(alone.length)} calls`)
console.log(`beside   p95 ${p95(beside).toFixed(1)} ms`)
console.log(`ratio    ${ratio.toFixed(2)} (wanted: at most 2)`)
for (const [what, count] of [...statuses].toSorted()) console.log(`  ${what.padEnd(28)}${formatCount(count)}`)

await bystander.close()
await server.stop()
await database.drop()
if ([...statuses.keys()].some((what) => / 5\d\d$/.test(what))) throw new Error('a call was answered with 5xx')

function* csvLines(): Generator<string> {
	yield 'Name,Mobile\n'
	yield* linesOf(ROWS, (index) => {
		const { firstName, number } = sampleContact(index)
		return `${firstName},+${number}\n`
	})
}

function note(what: string, status: number): void {
	const key = `${what} ${status}`
	statuses.set(key, (statuses.get(key) ?? 0) + 1)
}

/** Calls the other account's screens one after the other; returns the milliseconds of each call. */
async function look(calls: number): Promise<number[]> {
	const times: number[] = []
	for (let call = 0; call < calls; call++) {
		const startedAt = performance.now()
		const { statusCode, body } = await bystander.request({
			method: 'GET',
			path: SCREENS[call % SCREENS.length] ?? '',
			headers: { authorization: `Bearer ${other.token}` },
		})
		await body.text()
		times.push(performance.now() - startedAt)
		note('bystander', statusCode)
		await sleep(PAUSE_MS)
	}
	return times
}

/** Each kind of work by more clients than an account may have, each of which asks again when it is answered. */
function startLoad(): { stop(): Promise<void> } {
	const over = new AbortController()
	const get = (path: string) => () => send(path, { signal: over.signal })
	const post = (path: string, fields: Record<string, string>) => () => {
		const body = new FormData()
		for (const [name, value] of Object.entries(fields)) body.set(name, value)
		body.set('file', file, 'people.csv')
		return send(path, { method: 'POST', body, signal: over.signal })
	}
	const campaign = {
		name: 'Greedy',
		templateId: greedy.templateId,
		variables: JSON.stringify({ var1: '{{Name}}' }),
		audienceType: 'file',
		schedule: 'later',
		scheduleDatetime: '2099-01-01T10:00:00',
	}
	const kinds: [string, number, () => Promise<Response>][] = [
		['list', 12, get('/api/contacts?page=3&limit=100&search=a')],
		['count', 6, get('/api/contacts/count?search=ku')],
		['export', 4, get('/api/contacts/export')],
		['analysis', 4, post('/api/campaigns/audience/file', campaign)],
		['campaign', 4, post('/api/campaigns', campaign)],
	]
	const clients = kinds.flatMap(([what, number, ask]) =>
		Array.from({ length: number }, () => askOn(what, ask, over.signal)),
	)
	const streams = Array.from({ length: STREAMS }, () =>
		send(LIVE_PATH, { signal: over.signal }).then(
			({ status }) => note('stream', status),
			() => {},
		),
	)
	return {
		async stop() {
			over.abort()
			await Promise.all([...clients, ...streams])
		},
	}
}

function send(path: string, init: RequestInit): Promise<Response> {
	return fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${greedy.token}` } })
}

async function askOn(what: string, ask: () => Promise<Response>, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		try {
			const response = await ask()
			await response.arrayBuffer()
			note(what, response.status)
			if (response.status === 429) await sleep(100)
		} catch (error) {
			if (!signal.aborted) throw error
		}
	}
}

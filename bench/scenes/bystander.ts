import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { formatCount } from '#lib/numbers.ts'
import { createTestDatabase } from '#test/database.ts'
import { startServerProcess } from '../programs/server-process.ts'
import { addContacts, openPayer, p95 } from './campaigns-data.ts'

/** Number of runs of each kind of load. Between two runs the bystander is alone. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4)
const ROWS = Number(process.env.BENCH_ROWS ?? 50_000)
const CALLS_PER_ROUND = Number(process.env.BENCH_CALLS ?? 150)
const WARM_UP_CALLS = 30
/** Pause of the bystander between two screens. */
const PAUSE_MS = 20

const SCREENS = [
	'/api/contacts?page=1&limit=10',
	'/api/campaigns?page=1&limit=10',
	'/api/campaigns/dashboard',
	'/api/users/wallet/balance',
	'/api/notifications',
	'/api/templates?page=1&limit=10',
]

/** The account that causes the load. */
export interface Greedy {
	templateId: string
	send(path: string, init: RequestInit): Promise<Response>
	/** Counts an answer for the printed list. */
	note(what: string, status: number): void
}

export interface Load {
	/**
	 * Resolves when the load has ended, which also ends the bystander. Without it, the bystander makes a fixed number of
	 * calls.
	 */
	done?: Promise<unknown>
	stop(): Promise<void>
}

/**
 * Measures an account's screens with and without another account's load, alternately in several rounds of one run. Prints the
 * 95th percentiles and their ratio, and throws if an answer was a 5xx.
 */
export async function measureBeside(loads: Record<string, (greedy: Greedy, round: number) => Load>): Promise<void> {
	const database = await createTestDatabase()
	const server = await startServerProcess(database.url)
	const [greedy, other] = [await openPayer(database.sql), await openPayer(database.sql)]
	for (const { accountId } of [greedy, other]) await addContacts(database.sql, accountId, ROWS)
	await database.sql`vacuum analyze`
	const bystander = new Pool(server.url, { connections: 1 })
	const statuses = new Map<string, number>()
	const note = (what: string, status: number) => {
		const key = `${what} ${status}`
		statuses.set(key, (statuses.get(key) ?? 0) + 1)
	}
	/** Calls the bystander's screens one after the other. Returns the milliseconds of each call. */
	const look = async (calls: number, isOver = () => true) => {
		const times: number[] = []
		for (let call = 0; call < calls || !isOver(); call++) {
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
	const send = (path: string, init: RequestInit) =>
		fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${greedy.token}` } })

	await look(WARM_UP_CALLS)
	const alone: number[] = []
	const beside = new Map(Object.keys(loads).map((name) => [name, [] as number[]]))
	for (let round = 0; round < ROUNDS; round++) {
		for (const [name, start] of Object.entries(loads)) {
			alone.push(...(await look(CALLS_PER_ROUND)))
			const load = start({ templateId: greedy.templateId, send, note }, round)
			let isDone = !load.done
			void load.done?.then(() => (isDone = true))
			if (isDone) await sleep(2000)
			beside.get(name)?.push(...(await look(CALLS_PER_ROUND, () => isDone)))
			await load.stop()
		}
	}
	console.log(`alone    p95 ${p95(alone).toFixed(1)} ms of ${formatCount(alone.length)} calls`)
	for (const [name, times] of beside) {
		console.log(`beside   p95 ${p95(times).toFixed(1)} ms of ${formatCount(times.length)} calls: ${name}`)
		console.log(`ratio    ${(p95(times) / p95(alone)).toFixed(2)} (wanted: at most 2)`)
	}
	for (const [what, count] of [...statuses].toSorted()) console.log(`  ${what.padEnd(28)}${formatCount(count)}`)

	await bystander.close()
	await server.stop()
	await database.drop()
	if ([...statuses.keys()].some((what) => / 5\d\d$/.test(what))) throw new Error('a call was answered with 5xx')
}

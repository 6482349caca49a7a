import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from './deployment.ts'
import type { Random } from './random.ts'

export const EVENT_KINDS = [
	'kill -9 a worker',
	'kill -9 http',
	'kill -9 PostgreSQL',
	'kill -9 a backend',
	'terminate a backend',
	'cut a connection',
	'silence a connection',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

const POSTGRES_TIMEOUT_MS = 60_000

/** Returns a random order of `count` events in which all kinds are equally frequent. */
export function planEvents(count: number, random: Random): EventKind[] {
	const kinds: EventKind[] = []
	while (kinds.length < count) kinds.push(...random.shuffle(EVENT_KINDS))
	return random.shuffle(kinds.slice(0, count))
}

export async function causeEvent(kind: EventKind, deployment: Deployment, random: Random): Promise<void> {
	switch (kind) {
		case 'kill -9 a worker':
			await random.pick(deployment.workers)?.kill(random.between(500, 2000))
			return
		case 'kill -9 http':
			await deployment.http.kill(random.between(500, 2000))
			return
		case 'kill -9 PostgreSQL':
			await pickBackend(deployment, random)
			killNow(Number(readFileSync(join(deployment.postgresData, 'postmaster.pid'), 'utf8').split('\n')[0]))
			return
		case 'kill -9 a backend':
			killNow(await pickBackend(deployment, random))
			return
		case 'terminate a backend':
			await terminate(deployment, await pickBackend(deployment, random))
			return
		case 'cut a connection':
			await breakConnection(deployment, random, (proxy, id) => proxy.cut((each) => each.id === id))
			return
		case 'silence a connection':
			await breakConnection(deployment, random, (proxy, id) => proxy.silence((each) => each.id === id))
	}
}

function killNow(pid: number): void {
	if (!(pid > 0)) throw new Error('nothing to kill')
	process.kill(pid, 'SIGKILL')
}

/** Returns a backend that serves the product. Waits until PostgreSQL has recovered from an earlier event. */
async function pickBackend({ db }: Deployment, random: Random): Promise<number> {
	const deadline = performance.now() + POSTGRES_TIMEOUT_MS
	for (;;) {
		const backends = await db<{ pid: number }[]>`
			select pid from pg_stat_activity
			where backend_type = 'client backend' and application_name <> 'soak' and application_name not like 'server %'
			order by pid
		`.catch(() => [])
		const backend = random.pick(backends)
		if (backend) return backend.pid
		if (performance.now() > deadline) throw new Error('PostgreSQL serves nobody any more')
		await sleep(50)
	}
}

async function terminate({ db }: Deployment, pid: number): Promise<void> {
	await db`select pg_terminate_backend(${pid}::integer)`
}

async function breakConnection(
	deployment: Deployment,
	random: Random,
	act: (proxy: Deployment['proxy'], id: number) => void,
): Promise<void> {
	await pickBackend(deployment, random)
	const connection = random.pick(deployment.proxy.connections.filter(({ isSilent }) => !isSilent))
	if (connection) act(deployment.proxy, connection.id)
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '#app/server/env.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import { connect, type Db } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { PATIENCE_MS, until } from '../until.ts'
import { startReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts'

export interface ReplicatedProduct {
	servers: ReplicatedPostgres
	/** URL that names both servers. */
	url: string
	db: Db
	simulator: Simulator
	process: Process
	/** Lines that the product has logged. */
	lines: Record<string, unknown>[]
	close(): Promise<void>
}

/** Starts the whole product in this process, on a primary and its standby. */
export async function startReplicatedProduct(
	given: Parameters<typeof startReplicatedPostgres>[0],
	variables: Record<string, string> = {},
): Promise<ReplicatedProduct> {
	const servers = await startReplicatedPostgres(given)
	const stops: (() => Promise<unknown>)[] = [servers.stop]
	const close = async () => {
		for (const stop of stops.splice(0).toReversed()) await stop()
	}
	try {
		const simulator = await startSimulator({ statuses: { sentMs: 20, deliveredMs: 60, readMs: 120, failRate: 0 } })
		stops.push(() => simulator.close())
		const dataDir = await mkdtemp(join(tmpdir(), 'test-replicated-product-'))
		stops.push(() => rm(dataDir, { recursive: true, force: true }))
		// The standby comes first in the URL, so that the product tries and rejects it.
		const url = bothHosts(servers.standby.url, servers.primary.url)
		const lines: Record<string, unknown>[] = []
		const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
		const env = readEnv({
			NODE_ENV: 'test',
			PORT: '0',
			DATA_DIR: dataDir,
			DATABASE_URL: url,
			SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
			GRAPH_URL: simulator.url,
			...variables,
		})
		const process = await startProcess(env, log, { kind: 'production' })
		stops.push(() => process.stop())
		env.PUBLIC_URL = process.url
		const db = connect(url, { max: 3, name: 'test' })
		stops.push(() => db.end())
		return { servers, url, db, simulator, process, lines, close }
	} catch (error) {
		await close()
		throw error
	}
}

export async function readiness(url: string): Promise<{ status: number; text: string }> {
	const answer = await fetch(`${url}/readyz`)
	return { status: answer.status, text: await answer.text() }
}

/** Returns a function that counts the connections opened by the product from now on, by the database's clock. */
export async function connectionsSince(db: Db): Promise<() => Promise<number>> {
	// A connection may be opening.
	const isQuiet = async () =>
		(await db`select 1 from pg_stat_activity where backend_start > clock_timestamp() - interval '1 second'`).length ===
		0
	await until(isQuiet, PATIENCE_MS, 100)
	const [clock] = await db<{ now: Date }[]>`select clock_timestamp() as now`
	const since = clock?.now ?? new Date(0)
	return async () =>
		(
			await db`
			select 1 from pg_stat_activity
			where backend_start > ${since} and application_name not in ('test', 'watch', '')
		`
		).length
}

function bothHosts(first: string, second: string): string {
	return first.replace(/@[^/]*/, `@${new URL(first).host},${new URL(second).host}`) + '?target_session_attrs=read-write'
}

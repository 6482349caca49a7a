import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '#app/server/env.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import type { Db } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { findFreePort } from '#test/free-port.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { type RunningSimulator, startSimulatorProcess } from '../programs/processes.ts'
import { type ProductProcess, startProductProcess } from './product-process.ts'
import type { Shape } from './shapes.ts'

/** Latencies are distributed uniformly over the stated one plus or minus this share. */
export const LATENCY_SPREAD = 0.2
const LANES = 4
const PRICE_PAISE = 100
const ON = { sentMs: 300, deliveredMs: 800, readMs: 2_000, jitter: 0.3, readRate: 0.7, failRate: 0 }
/** Status plan that delays statuses until long after the end. */
const OFF = { sentMs: 36_000_000, deliveredMs: 36_000_000, readMs: 36_000_000 }

export interface SceneOptions {
	role: 'split' | 'all'
	gatherMs: number
	/** Seconds at full pace for which each campaign has recipients; 0 creates no campaigns. */
	campaignSeconds: number
}

/** A simulator, a database with campaigns ready to be sent, and the product's processes, which have just started. */
export interface Scene {
	simulator: RunningSimulator
	control: ReturnType<typeof connectSimulator>
	database: { url: string; sql: Db }
	processes: ProductProcess[]
	close(): Promise<void>
}

/**
 * Writes everything before the product's processes start, so that all campaigns begin together. Until then a web server in this
 * process answers at their address, which Meta must reach when credentials are saved.
 */
export async function startScene(shape: Shape, { role, gatherMs, campaignSeconds }: SceneOptions): Promise<Scene> {
	const [simulator, database, port] = await Promise.all([startSimulatorProcess(), createTestDatabase(), findFreePort()])
	const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
	const control = connectSimulator(simulator.url)
	await control.setStatusPlan(shape.statuses ? ON : OFF)
	await control.setWebhookInterval({ ms: gatherMs })
	const variables = {
		NODE_ENV: 'production',
		PUBLIC_URL: `http://127.0.0.1:${port}`,
		DATABASE_URL: database.url,
		DATA_DIR: dataDir,
		SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
		GRAPH_URL: simulator.url,
	}
	const env = readEnv({ ...variables, ROLE: 'http', PORT: String(port) })
	const preparing = await startProcess(env, createLog('silent'), { kind: 'production' })
	const parts = { process: preparing, simulator: { control } }
	await openCampaigns(parts, shape, shape.pace * campaignSeconds)
	await preparing.stop()
	await control.setLatency({
		minMs: shape.latencyMs * (1 - LATENCY_SPREAD),
		maxMs: shape.latencyMs * (1 + LATENCY_SPREAD),
	})
	await database.sql`vacuum analyze`
	await database.sql`checkpoint`
	const start = (name: string, at: number) => startProductProcess(name, { ...variables, PORT: String(at) })
	const processes = role === 'all' ? [await start('all', port)] : [await start('http', port), await start('worker', 0)]
	return {
		simulator,
		control,
		database,
		processes,
		async close() {
			await Promise.all(processes.map((each) => each.stop()))
			await simulator.stop()
			await database.drop()
			await rm(dataDir, { recursive: true, force: true })
		},
	}
}

interface Parts {
	process: Process
	simulator: { control: ReturnType<typeof connectSimulator> }
}

async function openCampaigns(parts: Parts, { senders, pace }: Shape, contacts: number): Promise<void> {
	const { db } = parts.process.context
	// No search is measured, and building this index would take longer than everything else.
	await db`drop index if exists contacts_search`
	let next = 0
	const lane = async () => {
		while (next++ < senders) {
			const sender = await sendingAccount(parts, {
				contacts: 0,
				balancePaise: (contacts + 1) * PRICE_PAISE,
				perSecond: pace,
			})
			const { phone_number_id } = sender.credentials
			if (pace > 80) await parts.simulator.control.setThroughput({ phone_number_id, level: 'HIGH' })
			if (contacts === 0) continue
			await addContacts(db, sender.accountId, contacts)
			await startCampaign(parts, sender)
		}
	}
	await Promise.all(Array.from({ length: LANES }, lane))
}

async function addContacts(db: Db, accountId: number, contacts: number): Promise<void> {
	await db`
		insert into contacts (account_id, first_name, number, search_text)
		select ${accountId}, 'Contact ' || i, number, 'contact ' || i || E'\\n' || number
		from generate_series(1, ${contacts}::integer) i
		cross join lateral (select '91' || (6000000000 + ${accountId}::bigint * 1000000 + i)::text) made (number)
	`
	await db`
		insert into contact_counts (account_id, group_id, contacts) values (${accountId}, 0, ${contacts})
		on conflict (account_id, group_id) do update set contacts = excluded.contacts
	`
}

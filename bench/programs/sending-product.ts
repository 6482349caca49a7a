import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '#app/server/env.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import type { Control } from '#simulator/control.ts'
import { startSimulatorProcess } from './processes.ts'

export interface SendingProduct {
	process: Process
	simulator: { control: Control }
	stop(): Promise<void>
}

/** Starts the product in this process on an existing database, sending to a simulator in another process. */
export async function startSendingProduct(
	databaseUrl: string,
	variables: Record<string, string> = {},
): Promise<SendingProduct> {
	const simulator = await startSimulatorProcess()
	const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
	const env = readEnv({
		PORT: '0',
		DATA_DIR: dataDir,
		DATABASE_URL: databaseUrl,
		SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
		GRAPH_URL: simulator.url,
		LOG_LEVEL: 'silent',
		...variables,
	})
	const product = await startProcess(env, createLog('silent'), { kind: 'production', hasPages: false })
	env.PUBLIC_URL = product.url
	return {
		process: product,
		simulator: { control: connectSimulator(simulator.url) },
		async stop() {
			await product.stop()
			await simulator.stop()
			await rm(dataDir, { recursive: true, force: true })
		},
	}
}

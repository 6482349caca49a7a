import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { createLog } from '#lib/server/log.ts'

/** Runs the product's HTTP side in a process of its own, so that the benchmark can measure its memory. Prints its URL. */
const env = readEnv({
	PORT: '0',
	DATA_DIR: join(tmpdir(), 'bench-data'),
	ROLE: 'http',
	DATABASE_URL: process.env.BENCH_DATABASE_URL,
	SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
	LOG_LEVEL: 'error',
})
const product = await startProcess(env, createLog(env.LOG_LEVEL), { kind: 'production', hasPages: false })
console.log(product.url)
process.once('SIGTERM', () => void product.stop().then(() => process.exit(0)))

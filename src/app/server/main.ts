import { createLog } from '#lib/server/log.ts'
import { readEnv } from './env.ts'
import { startProcess } from './process.ts'
import { runUntilSignal } from './signals.ts'

const env = readEnv()
const log = createLog(env.LOG_LEVEL)
await runUntilSignal(log, async () => {
	const running = await startProcess(env, log, { kind: 'production' })
	log.info({ url: running.url, role: env.ROLE }, 'ready')
	return running
})

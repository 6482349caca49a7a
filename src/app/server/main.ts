import { createLog } from '#lib/server/log.ts'
import { readEnv } from './env.ts'
import { startProcess } from './process.ts'
import { runUntilSignal } from './signals.ts'

const env = readEnv()
const log = createLog(env.LOG_LEVEL)
if (!env.PUBLIC_URL.startsWith('https:'))
	log.warn(
		{ url: env.PUBLIC_URL },
		'PUBLIC_URL is not https: only this machine can use the product, and Meta reaches no webhook',
	)
await runUntilSignal(log, async () => {
	const running = await startProcess(env, log, { kind: 'production' })
	log.info({ url: running.url, role: env.ROLE }, 'ready')
	return running
})

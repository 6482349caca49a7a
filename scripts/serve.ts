// `npm run serve`: runs a web server, a worker or both, as ROLE says, with the database at DATABASE_URL or the embedded
// PostgreSQL.
import { linkAdvice, readEnvOrExit } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { runUntilSignal } from '#app/server/signals.ts'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { createLog } from '#lib/server/log.ts'

const env = readEnvOrExit()
const log = createLog(env.LOG_LEVEL)
if (!env.PUBLIC_URL.startsWith('https:'))
	log.warn(
		{ url: env.PUBLIC_URL },
		'PUBLIC_URL is not https: only this machine can use the product, and Meta cannot call its webhooks',
	)
await runUntilSignal(log, async () => {
	const running = await startProcess(env, log, { kind: 'production', startDatabase: startEmbeddedPostgres })
	log.info({ url: running.url, role: env.ROLE }, 'ready')
	const advice = linkAdvice(env)
	if (advice) log.warn(advice)
	return running
})

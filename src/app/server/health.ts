import type { Registry } from 'prom-client'
import type { Db } from '#lib/server/db.ts'
import type { Http } from '#lib/server/http.ts'
import { isMigrated } from '#lib/server/migrate.ts'

/** What operators and other programs ask of every process, whatever its role: alive, ready, metrics. */
export function serveHealth(http: Http, db: Db, metrics: Registry): void {
	http.get('/healthz', () => ({ status: 'ok' }))
	http.get('/readyz', async (_, reply) => {
		const isReady = await isMigrated(db).catch(() => false)
		return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
	})
	http.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
}

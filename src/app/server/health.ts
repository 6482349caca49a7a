import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Endpoint } from '#lib/endpoint.ts'
import type { Db } from '#lib/server/db.ts'
import type { Http } from '#lib/server/http.ts'
import { isMigrated } from '#lib/server/migrate.ts'
import { openApi } from '#lib/server/openapi.ts'
import { contract } from '../contract.ts'

/** What operators and other programs ask: alive, ready, figures, and the description of the calls. */
export function serveHealth(http: Http, db: Db): void {
	const registry = new Registry()
	collectDefaultMetrics({ register: registry })
	const description = openApi(contract as Record<string, Record<string, Endpoint>>)

	http.get('/healthz', () => ({ status: 'ok' }))
	http.get('/readyz', async (_, reply) => {
		const isReady = await isMigrated(db).catch(() => false)
		return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
	})
	http.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
	http.get('/api/docs', () => description)
}

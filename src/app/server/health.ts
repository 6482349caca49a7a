import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { problem } from '#app/problems.ts'
import type { Db } from '#lib/server/db.ts'
import type { DatabaseWatch } from '#lib/server/db/hosts/database-watch.ts'
import { findSchemaDifference } from '#lib/server/db/schema/schema.ts'
import { tokenOf, type Http } from '#lib/server/http/http.ts'
import { isLoopback } from '#lib/server/http/network.ts'
import { sameText } from '#lib/server/secrets.ts'

/** Milliseconds for which scrapes share one result, since its queries cover the whole product. */
const METRICS_MAX_AGE_MS = 5000

export interface HealthOptions {
	db: Db
	watch: Pick<DatabaseWatch, 'problem'>
	metrics: Registry
	/** Token that lets other machines read the metrics. */
	metricsToken: string | undefined
}

/** Serves health, readiness and metrics, in processes of every role. */
export function serveHealth(http: Http, { db, watch, metrics, metricsToken }: HealthOptions): void {
	http.get('/healthz', () => ({ status: 'ok' }))
	let asking: Promise<string | null> | null = null
	http.get('/readyz', async (_, reply) => {
		// Concurrent requests share one query.
		const found = watch.problem() ?? (await (asking ??= findProblem(db).finally(() => (asking = null))))
		return found === null ? { status: 'ready' } : reply.status(503).send({ status: 'not ready', problem: found })
	})
	let latest: { text: Promise<string>; atMs: number } | undefined
	http.get('/metrics', async (request, reply) => {
		if (!mayScrape(request, metricsToken)) throw problem('metrics_refused')
		const nowMs = performance.now()
		if (!latest || nowMs - latest.atMs > METRICS_MAX_AGE_MS) latest = { text: metrics.metrics(), atMs: nowMs }
		return reply.type(metrics.contentType).send(await latest.text)
	})
}

async function findProblem(db: Db): Promise<string | null> {
	return findSchemaDifference(db).then(
		(difference) => difference?.problem ?? null,
		() => 'The database does not answer',
	)
}

/**
 * Headers of a reverse proxy. They mark a forwarded request, which may come from elsewhere although the proxy is local.
 */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

function mayScrape(request: FastifyRequest, metricsToken: string | undefined): boolean {
	const token = tokenOf(request)
	if (metricsToken && token && sameText(token, metricsToken)) return true
	const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined)
	return isLoopback(request.socket.remoteAddress ?? '') && !isForwarded
}

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { countSilentSendersAllOwners } from '#features/campaigns/server/service.ts'
import { findLastAuditAllOwners } from '#features/wallet/server/service.ts'
import type { Db } from '#lib/server/db.ts'
import type { Http } from '#lib/server/http.ts'
import { isMigrated } from '#lib/server/migrate.ts'
import { openApi } from '#lib/server/openapi.ts'
import { contract } from '../contract.ts'

/** What operators and other programs ask: alive, ready, figures, and the description of the calls. */
export function serveHealth(http: Http, db: Db): void {
	const registry = new Registry()
	collectDefaultMetrics({ register: registry })
	measureMoney(registry, db)
	measureReports(registry, db)
	const description = openApi(contract)

	http.get('/healthz', () => ({ status: 'ok' }))
	http.get('/readyz', async (_, reply) => {
		const isReady = await isMigrated(db).catch(() => false)
		return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
	})
	http.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
	http.get('/api/docs', () => description)
}

/** What the last money audit of any process found: anything but 0 findings, or an audit hours ago, is worth a call at night. */
function measureMoney(registry: Registry, db: Db): void {
	const last = () => findLastAuditAllOwners(db).catch(() => undefined)
	const findings: Gauge = new Gauge({
		name: 'money_audit_findings',
		help: 'Promises about money that the last audit found broken',
		registers: [registry],
		collect: async () => findings.set((await last())?.findings ?? Number.NaN),
	})
	const finishedAt: Gauge = new Gauge({
		name: 'money_audit_timestamp_seconds',
		help: 'When the last money audit ended, in seconds since 1970',
		registers: [registry],
		collect: async () => finishedAt.set(((await last())?.finishedAt.getTime() ?? Number.NaN) / 1000),
	})
}

/** Anything but 0 means that webhooks do not reach the product, or that Meta does not send them. */
function measureReports(registry: Registry, db: Db): void {
	const senders: Gauge = new Gauge({
		name: 'reports_silent_senders',
		help: 'Senders whose messages have got no status report for over an hour',
		registers: [registry],
		collect: async () => senders.set(await countSilentSendersAllOwners(db).catch(() => Number.NaN)),
	})
}

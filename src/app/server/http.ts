import { segmentRoutes } from '#features/audiences/server/segments/segment-routes.ts'
import { authRoutes } from '#features/auth/server/routes.ts'
import { createSessionGate } from '#features/auth/server/sessions/sessions.ts'
import { workRoutes } from '#features/auth/server/work-routes.ts'
import { campaignRoutes } from '#features/campaigns/server/routes.ts'
import { chatRoutes } from '#features/chats/server/routes.ts'
import { contactRoutes } from '#features/contacts/server/routes.ts'
import { customerRoutes } from '#features/customers/server/routes.ts'
import { listUsedMarketsAllAccounts } from '#features/dashboards/server/margin-queries.ts'
import { dashboardRoutes } from '#features/dashboards/server/routes.ts'
import { sendingRuleRoutes } from '#features/delivery/server/routes.ts'
import { developerRoutes } from '#features/developer/server/routes.ts'
import { addressProblemOfV1 } from '#features/developer/server/v1/problems.ts'
import { v1Routes } from '#features/developer/server/v1/routes.ts'
import { headerFileRoutes } from '#features/header-files/server/routes.ts'
import { inboxRoutes } from '#features/inbox/server/routes.ts'
import { clickRoutes } from '#features/links/server/click-routes.ts'
import { clickReportRoutes } from '#features/links/server/report-routes.ts'
import { notificationRoutes } from '#features/notifications/server/routes.ts'
import { paymentRoutes } from '#features/payments/server/routes.ts'
import { paymentWebhookRoutes } from '#features/payments/server/webhook.ts'
import { rateRoutes } from '#features/pricing/server/rate-routes.ts'
import { pricingRoutes } from '#features/pricing/server/routes.ts'
import { privacyRoutes } from '#features/privacy/server/routes.ts'
import { replyRoutes } from '#features/replies/server/routes.ts'
import { statementRoutes } from '#features/statements/server/routes.ts'
import { templateRoutes } from '#features/templates/server/routes.ts'
import { userRoutes } from '#features/users/server/routes.ts'
import { walletRoutes } from '#features/wallet/server/routes.ts'
import { whatsappRoutes } from '#features/whatsapp/server/routes.ts'
import { StrayChanges } from '#features/whatsapp/server/webhooks/stray-changes.ts'
import type { PageConfig } from '#lib/page-config.ts'
import { createHttpServer } from '#lib/server/http/http-server.ts'
import type { Http } from '#lib/server/http/http.ts'
import { openApi } from '#lib/server/http/openapi.ts'
import { contract } from '../contract.ts'
import type { AppContext } from './context.ts'
import { serveHealth } from './health.ts'
import { serveLive } from './live.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createSemaphores } from './semaphores.ts'
import { serveWebApp } from './web-app.ts'
import type { RunningWorker } from './worker.ts'

let description: Record<string, unknown> | undefined

/** Returns the OpenAPI document of all calls. Builds it for the first request, because that takes a fifth of a start. */
function describeCalls(): Record<string, unknown> {
	return (description ??= openApi(contract, { title: 'WhatsApp Bulk Message' }))
}

export interface HttpOptions {
	/** Settings of the web app's page; without them no page is served. */
	page?: PageConfig
	/** The worker in this process. */
	worker?: RunningWorker | null
}

/** Creates the HTTP server with every feature's routes, not listening yet. */
export async function createHttp(context: AppContext, { page, worker = null }: HttpOptions = {}): Promise<Http> {
	const strays = new StrayChanges(context.log)
	const http = await createHealthHttp(context, worker, strays)
	if (context.env.API_DOCS === 'on') {
		http.get('/api/docs', () => describeCalls())
	}
	authRoutes(http, context)
	workRoutes(http, context)
	userRoutes(http, context)
	walletRoutes(http, context)
	paymentRoutes(http, context)
	paymentWebhookRoutes(http, context)
	pricingRoutes(http, context)
	rateRoutes(http, { ...context, listUsedMarkets: () => listUsedMarketsAllAccounts(context.db) })
	whatsappRoutes(http, { ...context, strays })
	contactRoutes(http, context)
	templateRoutes(http, context)
	segmentRoutes(http, context)
	headerFileRoutes(http, context)
	sendingRuleRoutes(http, context)
	campaignRoutes(http, context)
	customerRoutes(http, context)
	replyRoutes(http, context)
	inboxRoutes(http, context)
	chatRoutes(http, context)
	statementRoutes(http, context)
	dashboardRoutes(http, context)
	notificationRoutes(http, context)
	privacyRoutes(http, context)
	developerRoutes(http, context)
	await v1Routes(http, context)
	clickReportRoutes(http, context)
	await clickRoutes(http, context)
	const endLive = await serveLive(http, context.listener, context.env)
	http.addHook('preClose', async () => endLive())
	if (page) await serveWebApp(http, page)
	return http
}

/** Creates the HTTP server of a worker: health, readiness and metrics. `strays` is null without inbound webhooks. */
export async function createHealthHttp(
	context: AppContext,
	worker: RunningWorker | null,
	strays: StrayChanges | null = null,
): Promise<Http> {
	const { db, watch, log, env } = context
	const http = await createHttpServer({
		log,
		findSession: createSessionGate(context),
		semaphores: createSemaphores(env),
		trustProxy: env.TRUST_PROXY,
		addressProblem: addressProblemOfV1,
	})
	serveHealth(http, { db, watch, metrics: createMetrics(context, worker, strays), metricsToken: env.METRICS_TOKEN })
	return http
}

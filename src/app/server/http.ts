import { authRoutes } from '#features/auth/server/routes.ts'
import { findSession } from '#features/auth/server/service.ts'
import { campaignRoutes } from '#features/campaigns/server/routes.ts'
import { contactRoutes } from '#features/contacts/server/routes.ts'
import { notificationRoutes } from '#features/notifications/server/routes.ts'
import { pricingRoutes } from '#features/pricing/server/routes.ts'
import { templateRoutes } from '#features/templates/server/routes.ts'
import { userRoutes } from '#features/users/server/routes.ts'
import { walletRoutes } from '#features/wallet/server/routes.ts'
import { whatsappRoutes } from '#features/whatsapp/server/routes.ts'
import { createHttpServer } from '#lib/server/http-server.ts'
import type { Http } from '#lib/server/http.ts'
import type { AppContext } from './context.ts'
import { serveHealth } from './health.ts'
import { serveLive } from './live.ts'
import { serveWebApp } from './web-app.ts'

/** The HTTP side of the product: every feature's routes on one server, not yet listening. Without `page`, no web app. */
export async function createHttp(context: AppContext, page?: { simulator: boolean; landing: string }): Promise<Http> {
	const { db } = context
	const http = await createHttpServer({ log: context.log, findSession: (token) => findSession(db, token) })
	authRoutes(http, context)
	userRoutes(http, context)
	walletRoutes(http, context)
	pricingRoutes(http, context)
	whatsappRoutes(http, context)
	contactRoutes(http, context)
	templateRoutes(http, context)
	campaignRoutes(http, context)
	notificationRoutes(http, context)
	serveHealth(http, db)
	const endLive = await serveLive(http, context.listener)
	http.addHook('preClose', async () => endLive())
	if (page) await serveWebApp(http, page)
	return http
}

import { paiseFromRupees } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { adminDashboards } from '../admin-contract.ts'
import { dashboards } from '../contract.ts'
import { margins } from '../margin-contract.ts'
import { getAdminStats, listSetUps } from './admin-service.ts'
import { daysOf, getAccountMargin, listMargins, marginsCsv, pageOf, totalOf } from './margins.ts'
import { getUserStats } from './user-service.ts'

interface RouteContext {
	db: Db
	/** Prices of new accounts in rupees. */
	env: { DEFAULT_MARKETING_PRICE: string; DEFAULT_UTILITY_PRICE: string }
}

export function dashboardRoutes(http: Http, { db, env }: RouteContext): void {
	mount(http, adminDashboards.admin, () => getAdminStats(db))

	const defaults = {
		marketingPaise: paiseFromRupees(env.DEFAULT_MARKETING_PRICE),
		utilityPaise: paiseFromRupees(env.DEFAULT_UTILITY_PRICE),
	}
	mount(http, adminDashboards.setUps, async ({ query }) => ({ setUps: await listSetUps(db, query.users, defaults) }))

	mount(http, margins.list, async ({ query }) => {
		const { month, ...days } = daysOf(query.month)
		const rows = await listMargins(db, days)
		return { month, totals: totalOf(rows), ...pageOf(rows, query) }
	})

	mount(http, margins.one, async ({ params, query }) => {
		const { month, ...days } = daysOf(query.month)
		return { month, ...(await getAccountMargin(db, params.userId, days)) }
	})

	mount(http, margins.exportCsv, async ({ query }) => {
		const { month, ...days } = daysOf(query.month)
		return { filename: `margins_${month}.csv`, content: Buffer.from(marginsCsv(await listMargins(db, days))) }
	})

	mount(http, dashboards.user, ({ session }) => getUserStats(db, session.accountId))
}

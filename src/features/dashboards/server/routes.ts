import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { adminDashboards } from '../admin-contract.ts'
import { dashboards } from '../contract.ts'
import { getAdminStats } from './admin-service.ts'
import { getUserStats } from './user-service.ts'

export function dashboardRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, adminDashboards.admin, () => getAdminStats(db))

	mount(http, dashboards.user, ({ session }) => getUserStats(db, session.accountId))
}

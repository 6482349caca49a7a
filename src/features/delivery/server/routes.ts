import { numberStanding, sendingRules } from '#features/delivery/contract.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { findRules, upsertRules } from './sending-rules-queries.ts'
import { announceWork, getNumberStanding } from './service.ts'

/** Mounts the calls about the sending rules of an account, and the state of its number. */
export function sendingRuleRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, sendingRules.rules, ({ session }) => findRules(db, session.accountId))

	mount(http, numberStanding.limit, async ({ session }) => ({
		standing: await getNumberStanding(db, session.accountId),
	}))

	mount(http, sendingRules.saveRules, async ({ body, session }) => {
		await upsertRules(db, session.accountId, body)
		// The change may have begun or ended quiet hours, or may change the route.
		announceWork(db, session.accountId)
		return { message: 'Sending rules saved', rules: await findRules(db, session.accountId) }
	})
}

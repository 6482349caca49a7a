import { countedTarget, buttonsOf, placeOfButton } from '#features/templates/counted-link.ts'
import { notFound } from '#lib/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { type Http, mount } from '#lib/server/http/http.ts'
import { campaignClicks } from '../contract.ts'
import * as queries from './click-queries.ts'

/** Mounts the call that counts the clicks on each counted link of a campaign. */
export function clickReportRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, campaignClicks.clicks, async ({ params, session }) => {
		const components = await queries.findComponents(db, session.accountId, params.id)
		if (!components) throw notFound('Campaign')
		const counts = await queries.countByPlace(db, session.accountId, params.id)
		const buttons = buttonsOf(components).filter(({ button }) => countedTarget(button) !== null)
		return {
			buttons: buttons.map((placed) => ({
				card: placed.card === null ? null : placed.card + 1,
				text: placed.button.text ?? '',
				...(counts.get(placeOfButton(placed)) ?? { people: 0, clicks: 0 }),
			})),
		}
	})
}

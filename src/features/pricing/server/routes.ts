import { actorOf } from '#features/auth/server/service.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import type { Notify } from '#lib/server/notify.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { pricing } from '../contract.ts'
import { countPricedAllOwners, listPricedAllOwners } from './queries.ts'
import { changePrices, getPrices, type Prices } from './service.ts'

export function pricingRoutes(http: Http, context: { db: Db; notify: Notify }): void {
	const { db } = context

	mount(http, pricing.mine, async ({ session }) => present(await getPrices(db, session.ownerId)))

	mount(http, pricing.list, async ({ query }) => {
		const [rows, total] = await Promise.all([listPricedAllOwners(db, query), countPricedAllOwners(db, query.search)])
		const users = rows.map(({ id, name, email, ...prices }) => ({ _id: String(id), name, email, ...present(prices) }))
		return { users, page: query.page, pages: pagesFor(total, query.limit) }
	})

	mount(http, pricing.update, async (call) => {
		const prices = { marketingPaise: call.body.marketingPrice, utilityPaise: call.body.utilityPrice }
		await changePrices(context, call.params.userId, { ...prices, by: actorOf(call) })
		return { pricing: present(prices), message: 'Prices updated successfully' }
	})
}

function present({ marketingPaise, utilityPaise }: Prices) {
	return { marketingPrice: rupeesFromPaise(marketingPaise), utilityPrice: rupeesFromPaise(utilityPaise) }
}

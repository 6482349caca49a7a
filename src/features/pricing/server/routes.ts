import { actorOf } from '#features/auth/server/service.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { pricing } from '../contract.ts'
import { countPricedAllAccounts, listPricedAllAccounts, type PricedMember, type Prices, getPrices } from './queries.ts'
import { changePrices } from './service.ts'

export function pricingRoutes(http: Http, context: { db: Db; notify: Notify }): void {
	const { db } = context

	mount(http, pricing.mine, async ({ session }) => present(await getPrices(db, session.accountId)))

	mount(http, pricing.list, async ({ query }) => {
		const counting = countPricedAllAccounts(db, query.search)
		const { rows, ...place } = await readPage(query, listPricedAllAccounts(db, query), counting)
		return { users: rows.map(presentMember), ...place }
	})

	mount(http, pricing.update, async (call) => {
		const { marketingPrice, utilityPrice, unchanged = [] } = call.body
		const prices = await changePrices(context, call.params.userId, {
			...(!unchanged.includes('marketingPrice') && { marketingPaise: marketingPrice }),
			...(!unchanged.includes('utilityPrice') && { utilityPaise: utilityPrice }),
			actor: actorOf(call),
		})
		return { pricing: present(prices), message: 'Prices updated successfully' }
	})
}

function presentMember({ id, balancePaise, ...member }: PricedMember) {
	return { ...member, _id: id, walletBalance: rupeesFromPaise(balancePaise), ...present(member) }
}

function present({ marketingPaise, utilityPaise }: Prices) {
	return { marketingPrice: rupeesFromPaise(marketingPaise), utilityPrice: rupeesFromPaise(utilityPaise) }
}

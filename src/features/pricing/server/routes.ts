import { actorOf } from '#features/auth/server/service.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { pricing, type PriceListFields } from '../contract.ts'
import type { PriceList } from '../rules.ts'
import {
	countPricedAllAccounts,
	getPrices,
	listPricedAllAccounts,
	type HomePrices,
	type PricedMember,
} from './queries.ts'
import { presentPrices, changePrices, findPayer } from './service.ts'

export function pricingRoutes(http: Http, context: { db: Db; notify: Notify }): void {
	const { db } = context

	mount(http, pricing.mine, async ({ session }) => present(await getPrices(db, session.accountId)))

	mount(http, pricing.mineByMarket, ({ session }) => presentPrices(db, session.accountId))

	mount(http, pricing.list, async ({ query }) => {
		const counting = countPricedAllAccounts(db, query.search)
		const { rows, ...place } = await readPage(query, listPricedAllAccounts(db, query), counting)
		return { users: rows.map(presentMember), ...place }
	})

	mount(http, pricing.one, async ({ params }) => {
		const { accountId } = await findPayer(db, params.userId)
		return { pricing: presentList(await getPrices(db, accountId)) }
	})

	mount(http, pricing.update, async (call) => {
		const { marketingPrice, utilityPrice, authenticationPrice, servicePrice, abroad } = call.body
		const { passesOnFree, unchanged = [] } = call.body
		const prices = await changePrices(context, call.params.userId, {
			...(!unchanged.includes('marketingPrice') && { marketingPaise: marketingPrice }),
			...(!unchanged.includes('utilityPrice') && { utilityPaise: utilityPrice }),
			...(authenticationPrice !== undefined && { authenticationPaise: authenticationPrice }),
			...(servicePrice !== undefined && { servicePaise: servicePrice }),
			...(passesOnFree !== undefined && { passesOnFree }),
			...(abroad && { abroadRule: abroad.rule, abroadPercent: abroad.percent, fixedPrices: abroad.fixedPrices }),
			actor: actorOf(call),
		})
		return { pricing: present(prices), message: 'Prices updated successfully' }
	})
}

function presentMember({ id, balancePaise, ...member }: PricedMember) {
	return { ...member, _id: id, walletBalance: rupeesFromPaise(balancePaise), ...present(member) }
}

function present({ marketingPaise, utilityPaise }: HomePrices) {
	return { marketingPrice: rupeesFromPaise(marketingPaise), utilityPrice: rupeesFromPaise(utilityPaise) }
}

function presentList(list: PriceList): PriceListFields {
	const { authenticationPaise, servicePaise, abroadRule, abroadPercent, fixedPrices, passesOnFree } = list
	return {
		...present(list),
		authenticationPrice: authenticationPaise === null ? null : rupeesFromPaise(authenticationPaise),
		servicePrice: rupeesFromPaise(servicePaise),
		passesOnFree,
		abroad: {
			rule: abroadRule,
			percent: abroadPercent,
			fixedPrices: fixedPrices.map(({ paise, ...one }) => ({ ...one, price: rupeesFromPaise(paise) })),
		},
	}
}

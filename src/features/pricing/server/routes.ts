import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { pricing } from '../contract.ts'
import { getPrices } from './service.ts'

export function pricingRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, pricing.mine, async ({ session }) => {
		const prices = await getPrices(db, session.ownerId)
		return {
			marketingPrice: rupeesFromPaise(prices.marketingPaise),
			utilityPrice: rupeesFromPaise(prices.utilityPaise),
		}
	})
}

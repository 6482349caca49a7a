import { v1 } from '#features/developer/v1-contract.ts'
import type { PresentPricesFields } from '#features/pricing/contract.ts'
import { presentPrices } from '#features/pricing/server/service.ts'
import { listLines } from '#features/statements/server/queries.ts'
import { listAfter, type Template } from '#features/templates/server/queries.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { slotsOf } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { paiseFromRupees } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { pageOf } from '../paging.ts'
import { presentAmount } from '../present.ts'

/** Mounts the calls that read money and templates. */
export function accountRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, v1.balance, async ({ session: { accountId } }) => {
		const [wallet, prices] = await Promise.all([getWallet(db, accountId), presentPrices(db, accountId)])
		return {
			available: presentAmount(wallet.availablePaise),
			held: presentAmount(wallet.heldPaise),
			prices: pricesIn(prices),
		}
	})

	mount(http, v1.statement, async ({ query: { cursor, limit, ...filter }, session: { accountId } }) => {
		const before = cursor === undefined ? null : Number(cursor)
		const rows = await listLines(db, accountId, { filter, limit: limit + 1, before })
		return pageOf(rows, {
			limit,
			cursorOf: ({ id }) => id,
			present: (line) => ({
				id: line.id,
				time: line.at,
				kind: line.kind,
				campaign: line.campaignName === null ? null : { id: line.campaignId, name: line.campaignName },
				messageCount: line.messageCount,
				availableChange: presentAmount(line.availableChangePaise),
				heldChange: presentAmount(line.heldChangePaise),
				available: presentAmount(line.availablePaise),
				held: presentAmount(line.heldPaise),
			}),
		})
	})

	mount(http, v1.templates, async ({ query: { cursor, limit }, session: { accountId } }) => {
		const rows = await listAfter(db, accountId, { after: Number(cursor ?? 0), limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: presentTemplate })
	})

	mount(http, v1.template, async ({ params, session: { accountId } }) =>
		presentTemplate(await getTemplate(db, accountId, params.id)),
	)
}

const amountIn = (rupees: number) => presentAmount(paiseFromRupees(rupees) ?? 0)

/** Returns the price of a market; null where messages to it are blocked or have no price. */
function priceIn({ price }: PresentPricesFields['markets'][number]['marketing']) {
	return price === null ? null : amountIn(price)
}

function pricesIn({ markets, ...home }: PresentPricesFields) {
	return {
		marketing: amountIn(home.marketingPrice),
		utility: amountIn(home.utilityPrice),
		authentication: amountIn(home.authenticationPrice),
		service: amountIn(home.servicePrice),
		abroad: markets.map(({ market, name, ...prices }) => ({
			market,
			name,
			marketing: priceIn(prices.marketing),
			utility: priceIn(prices.utility),
			authentication: priceIn(prices.authentication),
			service: priceIn(prices.service),
		})),
	}
}

function presentTemplate({ id, name, language, status, category, components, goneAt }: Template) {
	const values = slotsOf(components).map(({ key }) => key)
	return { id, name, language, status: goneAt === null ? status : 'GONE', category, components, values }
}

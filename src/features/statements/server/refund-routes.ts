import { actorOf } from '#features/auth/server/service.ts'
import { listRefundHistoriesAllAccounts } from '#features/delivery/server/settlement/count-queries.ts'
import { usualShare } from '#features/wallet/rules.ts'
import type { RefundHistory } from '#features/wallet/server/refund-queries.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { offsetOf, pagesFor } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { refunds } from '../refund-contract.ts'
import { listWaitingAllAccounts, type WaitingRefund } from './refund-queries.ts'
import { decideRefund, type RefundContext } from './refund-service.ts'

export function refundRoutes(http: Http, context: RefundContext): void {
	const { db } = context

	mount(http, refunds.refundsToCheck, async ({ query }) => {
		const offset = offsetOf({ page: query.page, limit: PAGE_SIZE })
		const waiting = await listWaitingAllAccounts(db, { limit: PAGE_SIZE, offset })
		const histories = await listRefundHistoriesAllAccounts(db, [...new Set(waiting.map(({ accountId }) => accountId))])
		const shown = waiting.map((refund) => present(refund, histories.get(refund.accountId)))
		return { refunds: shown, page: query.page, pages: pagesFor(waiting[0]?.total ?? 0, PAGE_SIZE) }
	})

	mount(http, refunds.decideRefund, async (call) => {
		const { campaignId, price, decision, ...seen } = call.body
		const paise = await decideRefund(context, call.params.userId, {
			...seen,
			campaignId: campaignId === null ? null : Number(campaignId),
			pricePaise: price,
			isApproved: decision === 'approve',
			actor: actorOf(call),
		})
		const amount = formatRupees(rupeesFromPaise(paise))
		return { message: decision === 'approve' ? `${amount} refunded` : `Refund of ${amount} refused` }
	})
}

function present(row: WaitingRefund, history: RefundHistory | undefined) {
	return {
		...row,
		campaign:
			row.campaignId === null
				? null
				: { _id: row.campaignId, name: row.campaignName ?? '', messages: row.campaignMessages ?? 0 },
		price: rupeesFromPaise(row.pricePaise),
		amount: rupeesFromPaise(row.pricePaise * row.messages),
		since: row.firstAt,
		latest: row.lastAt,
		charged: rupeesFromPaise(history?.chargedPaise ?? 0),
		refunded: rupeesFromPaise(history?.refundedPaise ?? 0),
		usualShare: history ? usualShare(history) : null,
	}
}

import { rupeesFromPaise } from '#lib/money.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { payments } from '../contract.ts'
import { problem } from '../problems.ts'
import { taxKindOf } from '../rules.ts'
import { adminPaymentRoutes } from './admin-routes.ts'
import * as queries from './queries.ts'
import {
	acceptReturn,
	beginPayment,
	getPayment,
	listNotesOf,
	presentPayment,
	providerOf,
	taxRuleOf,
	type PaymentContext,
} from './service.ts'

export function paymentRoutes(http: Http, context: PaymentContext): void {
	const { db, env } = context
	adminPaymentRoutes(http, context)

	mount(http, payments.options, async ({ session }) => {
		providerOf(context)
		const payer = await queries.getPayer(db, session.accountId)
		return {
			presets: env.PAYMENT_PRESETS,
			min: env.PAYMENT_MIN,
			max: env.PAYMENT_MAX,
			gstPercent: env.GST_PERCENT,
			owed: rupeesFromPaise(payer.owedPaise),
			taxKind: taxKindOf(taxRuleOf(env, payer)),
		}
	})

	mount(http, payments.create, async ({ body, session }) => {
		const { amount: creditPaise, requestId, back } = body
		const { accountId, userId } = session
		const payment = await beginPayment(context, accountId, { userId, creditPaise, requestId, back })
		return { payment: presentPayment(payment, []) }
	})

	mount(http, payments.list, async ({ query, session: { accountId } }) => {
		const { rows, ...place } = await readPage(
			query,
			queries.listPayments(db, accountId, query),
			queries.countPayments(db, accountId),
		)
		const notes = await listNotesOf(db, rows)
		return { payments: rows.map((payment) => presentPayment(payment, notes)), ...place }
	})

	mount(http, payments.one, async ({ params, session }) => {
		const payment = await getPayment(db, session.accountId, params.paymentId)
		return { payment: presentPayment(payment, await listNotesOf(db, [payment])) }
	})

	mount(http, payments.returned, async ({ params, body, session, request }) => {
		const before = await getPayment(db, session.accountId, params.paymentId)
		const isSigned = await acceptReturn(context, before, body)
		if (!isSigned) {
			securityLog(request, { event: 'payment.refused', reason: 'signature of a return' })
			throw problem('payment_return_unsigned')
		}
		const payment = await getPayment(db, session.accountId, params.paymentId)
		return { payment: presentPayment(payment, await listNotesOf(db, [payment])) }
	})
}

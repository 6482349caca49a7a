import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import type { Notify } from '#lib/server/notify.ts'
import { wallet, type RechargeRow } from '../contract.ts'
import type { Recharge } from './queries.ts'
import { getWallet, listRecharges, recharge } from './service.ts'

export function walletRoutes(http: Http, context: { db: Db; notify: Notify }): void {
	const { db } = context

	mount(http, wallet.balance, async ({ session }) => {
		const { availablePaise, heldPaise } = await getWallet(db, session.ownerId)
		return { success: true, walletBalance: rupeesFromPaise(availablePaise), onHold: rupeesFromPaise(heldPaise) }
	})

	mount(http, wallet.recharge, async ({ params, body, session }) => {
		const { amount, notes, requestId } = body
		const wanted = { amountPaise: amount, notes: notes || undefined, requestId, adminId: session.userId }
		const balancePaise = await recharge(context, params.userId, wanted)
		return { newBalance: rupeesFromPaise(balancePaise), message: 'Recharge added successfully' }
	})

	mount(http, wallet.history, async ({ params, session }) => {
		const rows = await listRecharges(db, session, params.userId)
		return rows.map(present)
	})
}

function present(row: Recharge): RechargeRow {
	return {
		_id: String(row.id),
		transactionDate: row.createdAt.toISOString(),
		amount: rupeesFromPaise(row.amountPaise),
		notes: row.notes,
		admin: { name: row.adminName ?? 'System' },
	}
}

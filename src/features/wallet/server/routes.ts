import { actorOf } from '#features/auth/server/service.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http, type Session } from '#lib/server/http/http.ts'
import { wallet } from '../contract.ts'
import { invoiceText, noteText } from '../rules.ts'
import { setLowBalance, getWallet } from './ledger.ts'
import { getOwed } from './owed-queries.ts'
import { countRecharges, getLowBalance, listRecharges, type Recharge } from './queries.ts'
import { findReceiptAllAccounts } from './receipts/receipt-queries.ts'
import { findTaxNoteAllAccounts } from './receipts/tax-note-queries.ts'
import { sumWaiting } from './refund-queries.ts'
import { getVisibleAccount, issuerOf, recharge, type RechargeContext } from './service.ts'

export function walletRoutes(http: Http, context: RechargeContext): void {
	const { db } = context

	mount(http, wallet.balance, async ({ session }) => {
		const [{ availablePaise, heldPaise }, lowBalancePaise, refundsWaitingPaise, { owedPaise }] = await Promise.all([
			getWallet(db, session.accountId),
			getLowBalance(db, session.accountId),
			sumWaiting(db, session.accountId),
			getOwed(db, session.accountId),
		])
		return {
			success: true,
			walletBalance: rupeesFromPaise(availablePaise),
			onHold: rupeesFromPaise(heldPaise),
			lowBalance: rupeesFromPaise(lowBalancePaise),
			refundsWaiting: rupeesFromPaise(refundsWaitingPaise),
			owed: rupeesFromPaise(owedPaise),
		}
	})

	mount(http, wallet.setLowBalance, async ({ body, session }) => {
		await transaction(db, async (sql) => {
			await setLowBalance(sql, session.accountId, body.amount)
			announceLive(sql, session.accountId, { kind: 'wallet' })
		})
		return { lowBalance: rupeesFromPaise(body.amount), message: 'Low balance warning saved' }
	})

	mount(http, wallet.recharge, async (call) => {
		const { amount, notes, requestId } = call.body
		const wanted = { amountPaise: amount, notes: notes || undefined, requestId, actor: actorOf(call) }
		const balancePaise = await recharge(context, call.params.userId, wanted)
		return { newBalance: rupeesFromPaise(balancePaise), message: 'Recharge added successfully' }
	})

	mount(http, wallet.history, async ({ params, session }) => {
		const rows = await listRecharges(db, await getVisibleAccount(db, session, params.userId))
		return rows.map(present)
	})

	mount(http, wallet.recharges, async ({ params, query, session }) => {
		const accountId = await getVisibleAccount(db, session, params.userId)
		const { rows, ...place } = await readPage(query, listRecharges(db, accountId, query), countRecharges(db, accountId))
		return { transactions: rows.map(present), ...place }
	})

	mount(http, wallet.receipt, async ({ params, session }) => {
		const receipt = await findReceiptAllAccounts(db, Number(params.transactionId))
		if (!receipt || !maySee(session, receipt.accountId)) throw notFound('Transaction')
		// Loads the PDF code at the first request: it takes a tenth of the process's start time.
		const { makeReceipt } = await import('./receipts/receipt-pdf.ts')
		const content = await makeReceipt(receipt, issuerOf(context.env))
		const name = receipt.invoice
			? `invoice_${invoiceText(receipt.invoice).replace('/', '_')}`
			: `receipt_${receipt.entryId}`
		return { filename: `${name}.pdf`, content }
	})

	mount(http, wallet.taxNote, async ({ params, session }) => {
		const note = await findTaxNoteAllAccounts(db, Number(params.noteId))
		if (!note || !maySee(session, note.accountId)) throw notFound('Note')
		const receipt = await findReceiptAllAccounts(db, note.entryId)
		if (!receipt) throw notFound('Note')
		const { makeTaxNote } = await import('./receipts/receipt-pdf.ts')
		const content = await makeTaxNote({ note, receipt })
		return { filename: `${note.kind}_note_${noteText(note).slice(3).replace('/', '_')}.pdf`, content }
	})
}

/** Returns true for admins and the account itself. Others get the 404 of a missing document, which reveals nothing. */
function maySee({ role, accountId }: Session, owner: AccountId): boolean {
	return role === 'admin' || accountId === owner
}

function present(row: Recharge) {
	return {
		_id: row.id,
		transactionDate: row.createdAt,
		amount: rupeesFromPaise(row.amountPaise),
		notes: row.notes,
		admin: { name: row.adminName ?? 'System' },
	}
}

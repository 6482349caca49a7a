import { Readable } from 'node:stream'
import { methodName, noteText } from '#features/wallet/rules.ts'
import { formatStamp, indianDay } from '#lib/dates.ts'
import { CSV_START, safeCsvLine, type CsvCell } from '#lib/files/csv.ts'
import { decimal } from '#lib/money.ts'
import type { Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { adminPayments } from '../admin-contract.ts'
import { FAULT_TEXTS, STATE_TEXTS, totalOf } from '../rules.ts'
import * as queries from './admin-queries.ts'
import type { PaymentFilter, PaymentOfUser } from './admin-queries.ts'
import type { Note } from './queries.ts'
import { listNotesOf, presentPayment, type PaymentContext } from './service.ts'

export function adminPaymentRoutes(http: Http, { db }: Pick<PaymentContext, 'db'>): void {
	mount(http, adminPayments.all, async ({ query }) => {
		const [{ rows, ...place }, watched] = await Promise.all([
			readPage(query, queries.listAllAccounts(db, query), queries.countAllAccounts(db, query)),
			queries.countWatchedAllAccounts(db),
		])
		const notes = await listNotesOf(db, rows)
		return { payments: rows.map((payment) => present(payment, notes)), ...place, ...watched }
	})

	mount(http, adminPayments.exportCsv, async ({ query }) => ({
		filename: `online_payments_${indianDay(Date.now())}.csv`,
		content: Readable.from(linesAllAccounts(db, query), { objectMode: false }),
	}))
}

function present(payment: PaymentOfUser, notes: readonly Note[]) {
	const { payerId, payerName, payerEmail, providerId, providerPaymentId, creditedBy } = payment
	return {
		...presentPayment(payment, notes),
		user: { _id: payerId, name: payerName, email: payerEmail },
		providerId,
		providerPaymentId,
		creditedBy,
	}
}

const HEADER = [
	'Begun',
	'Paid',
	'User',
	'Email',
	'State',
	'Amount (INR)',
	'CGST (INR)',
	'SGST (INR)',
	'IGST (INR)',
	'Total (INR)',
	'Refunded (INR)',
	'Method',
	'Reference',
	'Provider page',
	'Provider payment',
	'Credited by',
	'Problem',
	'Credit and debit notes',
]

async function* linesAllAccounts(sql: Sql, filter: PaymentFilter): AsyncGenerator<string> {
	yield CSV_START + safeCsvLine(HEADER)
	const next = (last: PaymentOfUser | undefined, limit: number) =>
		queries.listAfterAllAccounts(sql, { ...filter, last, limit })
	for await (const payments of inBatches(next)) {
		const notes = await listNotesOf(sql, payments)
		yield payments.map((payment) => safeCsvLine(cellsOf(payment, notes))).join('')
	}
}

function cellsOf(payment: PaymentOfUser, notes: readonly Note[]): CsvCell[] {
	const own = notes.filter(({ receiptId }) => receiptId === payment.receiptId)
	const { creditPaise, cgstPaise, sgstPaise, igstPaise, refundedPaise } = payment
	const amounts = [creditPaise, cgstPaise, sgstPaise, igstPaise, totalOf(payment), refundedPaise]
	return [
		formatStamp(payment.createdAt.toISOString()),
		payment.paidAt && formatStamp(payment.paidAt.toISOString()),
		payment.payerName,
		payment.payerEmail,
		STATE_TEXTS[payment.state],
		...amounts.map((paise) => ({ verbatim: decimal(paise) })),
		methodName(payment.method),
		payment.reference,
		payment.providerId,
		payment.providerPaymentId,
		payment.creditedBy,
		payment.fault && FAULT_TEXTS[payment.fault],
		own.map((note) => `${noteText(note)} ${decimal(note.totalPaise)}`).join('; '),
	]
}

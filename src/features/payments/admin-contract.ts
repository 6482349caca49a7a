import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { ListQuery, RowId, Search } from '#lib/fields.ts'
import { PaymentRow, PaymentState } from './contract.ts'

/** An online payment of any account. */
export const AdminPaymentRow = z.extend(PaymentRow, {
	user: z.object({ _id: RowId, name: z.string(), email: z.string() }),
	/** The provider's ids of its payment page and of the payment; null while not known. */
	providerId: z.nullable(z.string()),
	providerPaymentId: z.nullable(z.string()),
	/** The cause of the check that credited the wallet; null while it is not credited. */
	creditedBy: z.nullable(z.enum(['webhook', 'return', 'poll'])),
})
export type AdminPaymentRow = z.output<typeof AdminPaymentRow>

/** An unknown state lists payments of all states. */
const filters = { search: Search, state: z.catch(z.optional(PaymentState), undefined) }

export const adminPayments = {
	/**
	 * Lists payments with a fault first, then those that are open for longer than an hour, then the newest. `faulty` and
	 * `open` count both kinds among all payments.
	 */
	all: endpoint('GET /api/admin/payments', {
		access: 'admin',
		query: z.object({ ...ListQuery, ...filters }),
		response: z.object({
			payments: z.array(AdminPaymentRow),
			page: z.int(),
			pages: z.int(),
			total: z.int(),
			open: z.int(),
			faulty: z.int(),
		}),
	}),
	/** Returns the matching payments as CSV, newest first. */
	exportCsv: endpoint('GET /api/admin/payments/export', {
		effort: 'export',
		access: 'admin',
		query: z.object(filters),
		response: { file: 'text/csv; charset=utf-8' },
	}),
}

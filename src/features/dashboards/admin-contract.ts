import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { RowId, Time } from '#lib/fields.ts'

const Counts = z.object({ sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() })

/** The first few users that an admin must act for, and the count of all of them. */
const Affected = z.object({
	count: z.int(),
	users: z.array(z.object({ _id: RowId, name: z.string(), email: z.string() })),
})

/** The admin dashboard's stats over all accounts: amounts in rupees, Indian days, oldest first. */
export const AdminStats = z.object({
	accounts: z.object({ users: z.int(), admins: z.int(), inactive: z.int(), newThisMonth: z.int() }),
	messages: z.object({ today: Counts, month: Counts, days: z.array(z.object({ day: z.string(), ...Counts.shape })) }),
	/** `balance` is the spendable money, `onHold` the money reserved for unsent messages. */
	money: z.object({ balance: z.number(), onHold: z.number(), spentToday: z.number(), spentMonth: z.number() }),
	/** The current month in India: the charges of accounts, WhatsApp's charges to the operator, and the difference. */
	margin: z.object({ month: z.string(), revenue: z.number(), cost: z.number(), margin: z.number(), unrated: z.int() }),
	/**
	 * Senders that are stopped, receive no status updates or have a billing problem at Meta, and accounts with waiting or unusually many refunds, each
	 * with the reason.
	 */
	problems: z.array(
		z.object({
			_id: RowId,
			kind: z.enum(['stopped', 'waiting', 'no-reports', 'billing', 'refunds-waiting', 'refunds']),
			name: z.string(),
			email: z.string(),
			reason: z.string(),
			since: z.nullable(Time),
		}),
	),
	problemCount: z.int(),
	withoutCredentials: Affected,
	withoutMoney: Affected,
})
export type AdminStats = z.output<typeof AdminStats>

/**
 * Endpoints of the admin dashboard. A separate file from the user's contract, so that the admin screen does not load
 * the campaign schemas.
 */
export const adminDashboards = {
	admin: endpoint('GET /api/admin/dashboard', { access: 'admin', response: AdminStats }),
}

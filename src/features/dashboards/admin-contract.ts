import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { RowId, Time } from '#lib/fields.ts'

const Counts = z.object({ sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() })

/** A few of the users that something is to be done about, and how many there are in all. */
const Affected = z.object({
	count: z.int(),
	users: z.array(z.object({ _id: RowId, name: z.string(), email: z.string() })),
})

/** The admin dashboard's stats, of all accounts together: amounts in rupees, days in Indian time, oldest first. */
export const AdminStats = z.object({
	accounts: z.object({ users: z.int(), admins: z.int(), inactive: z.int(), newThisMonth: z.int() }),
	messages: z.object({ today: Counts, month: Counts, days: z.array(z.object({ day: z.string(), ...Counts.shape })) }),
	/** `balance` can be spent, `onHold` is set aside for messages not yet sent. */
	money: z.object({ balance: z.number(), onHold: z.number(), spentToday: z.number(), spentMonth: z.number() }),
	/** Senders that may not send at present, or get no status reports, and accounts with refunds that wait or are unusually many; with why. */
	problems: z.array(
		z.object({
			_id: RowId,
			kind: z.enum(['stopped', 'no-reports', 'refunds-waiting', 'refunds']),
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

/** Apart from the user's, which is about campaigns: the screen of admins loads nothing of those. */
export const adminDashboards = {
	admin: endpoint('GET /api/admin/dashboard', { access: 'admin', response: AdminStats }),
}

import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { RowId, Text, Time } from '#lib/fields.ts'

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
	/** Number of accounts with any problem, without credentials or without money; each counts once. */
	affectedCount: z.int(),
	withoutCredentials: Affected,
	withoutMoney: Affected,
})
export type AdminStats = z.output<typeof AdminStats>

/** Maximum number of users whose set-ups one call returns. */
const MAX_SET_UPS = 100
const USERS_WORDS = `The users must be at most ${MAX_SET_UPS} ids, separated by commas`

const UserIds = z.pipe(
	Text(MAX_SET_UPS * 19, { missing: USERS_WORDS, tooLong: USERS_WORDS }).check(
		z.regex(/^[1-9]\d{0,17}(?:,[1-9]\d{0,17}){0,99}$/, USERS_WORDS),
	),
	z.transform((ids) => ids.split(',').map(Number)),
)

/** Progress of one customer from the new account to the first campaign; amounts in rupees. */
export const SetUp = z.object({
	_id: RowId,
	/** State of the WhatsApp credentials; `problem` while the sender is stopped or waits for WhatsApp. */
	key: z.enum(['missing', 'works', 'problem']),
	/** Reason of `problem`, with the cause at WhatsApp; otherwise null. */
	keyProblem: z.nullable(z.string()),
	phoneNumber: z.nullable(z.string()),
	/** Time of the latest webhook from WhatsApp; null before the first one. */
	webhookAt: z.nullable(Time),
	/** True while messages are sent and no status updates arrive. */
	isSilent: z.boolean(),
	approvedTemplates: z.int(),
	balance: z.number(),
	marketingPrice: z.number(),
	utilityPrice: z.number(),
	/** True while both prices are those of new accounts. */
	hasDefaultPrices: z.boolean(),
	/** True when the balance pays for one message at the lower price. */
	canPay: z.boolean(),
})
export type SetUp = z.output<typeof SetUp>

/**
 * Endpoints of the admin dashboard. A separate file from the user's contract, so that the admin screen does not load
 * the campaign schemas.
 */
export const adminDashboards = {
	admin: endpoint('GET /api/admin/dashboard', { access: 'admin', response: AdminStats }),
	/** Returns the set-up of users. Admins, deleted users and unknown ids are omitted. */
	setUps: endpoint('GET /api/admin/set-ups', {
		access: 'admin',
		query: z.object({ users: UserIds }),
		response: z.object({ setUps: z.array(SetUp) }),
	}),
}

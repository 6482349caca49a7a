import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Page, RowId, Text, Time } from '#lib/fields.ts'

export const StatementKind = z.enum(['recharge', 'hold', 'capture', 'release', 'refund', 'reversal'])
export type StatementKind = z.output<typeof StatementKind>

/** Rejects year 0, which PostgreSQL does not have. */
export const StatementDay = Text(10).check(z.iso.date(), z.regex(/^[1-9]/))

/** Reads an empty or unreadable filter as no filter, so that a link with a typo still opens. Days are Indian days. */
const filters = {
	kind: z.catch(z.optional(StatementKind), undefined),
	from: z.catch(z.optional(StatementDay), undefined),
	to: z.catch(z.optional(StatementDay), undefined),
}

/** A line of a wallet's statement in rupees: its changes and the balances after it. */
export const StatementLine = z.object({
	_id: RowId,
	time: Time,
	kind: StatementKind,
	campaign: z.nullable(z.object({ _id: RowId, name: z.string() })),
	messageCount: z.nullable(z.int()),
	availableChange: z.number(),
	heldChange: z.number(),
	available: z.number(),
	held: z.number(),
	/** Notes of a recharge; otherwise the purpose of a line without a campaign. */
	notes: z.nullable(z.string()),
	adminName: z.nullable(z.string()),
})
export type StatementLine = z.output<typeof StatementLine>

/**
 * The summed lines of one campaign or of the replies of a day, or a single line of neither. `availableChange + heldChange` is the money
 * paid in or spent.
 */
export const StatementGroup = z.object({
	...z.omit(StatementLine, { available: true, held: true }).shape,
	/**
	 * Id of the campaign whose lines are summed, chat templates included; the day as -20261126 for the replies of a day; null for
	 * a single line.
	 */
	linesOf: z.nullable(RowId),
})
export type StatementGroup = z.output<typeof StatementGroup>

/** The `linesOf` of a group. */
const LinesOf = z.optional(
	z.pipe(
		z.union([z.literal(''), Text(19).check(z.regex(/^-?[1-9]\d*$/))]),
		z.transform((id) => id || undefined),
	),
)

const CHOOSE_MONTH = 'Choose a month such as 2026-11'
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

const ofUser = z.object({ userId: Id })

/** Fields of both lists. `totals` covers all lines that match the filter, not only this page. */
const ofWallet = {
	page: z.int(),
	pages: z.int(),
	totals: z.object({ recharged: z.number(), spent: z.number() }),
	user: z.object({ name: z.string(), createdAt: Time, walletBalance: z.number(), onHold: z.number() }),
}

export const statements = {
	list: endpoint('GET /api/wallet/statement/{userId}', {
		access: 'admin-or-manager',
		params: ofUser,
		query: z.object({ page: Page, ...filters, campaign: z.catch(LinesOf, undefined) }),
		response: z.object({ lines: z.array(StatementLine), ...ofWallet }),
	}),
	/**
	 * Lists the lines, newest first. The lines of a campaign, and of a day's replies, are summed into one group at the place of
	 * their first line.
	 */
	groups: endpoint('GET /api/wallet/statement/{userId}/campaigns', {
		access: 'admin-or-manager',
		params: ofUser,
		query: z.object({ page: Page, ...filters }),
		/** `hasMore` is true when there are more pages than were counted. */
		response: z.object({ groups: z.array(StatementGroup), hasMore: z.boolean(), ...ofWallet }),
	}),
	export: endpoint('GET /api/wallet/statement/{userId}/csv', {
		effort: 'export',
		access: 'admin-or-manager',
		params: ofUser,
		query: z.object(filters),
		response: { file: 'text/csv; charset=utf-8' },
	}),
	/** Returns a month's statement as PDF with balances, totals and all lines; the current month by default. */
	pdf: endpoint('GET /api/wallet/statement/{userId}/pdf', {
		effort: 'long',
		access: 'admin-or-manager',
		perMinute: 30,
		params: ofUser,
		query: z.object({ month: z.optional(Text(7, { tooLong: CHOOSE_MONTH }).check(z.regex(MONTH, CHOOSE_MONTH))) }),
		response: { file: 'application/pdf' },
	}),
	/**
	 * Returns each day's cost in rupees by category of message, `service` for replies, for a month such as 2026-11; the current month by
	 * default. Days without charges or refunds are left out.
	 */
	spending: endpoint('GET /api/wallet/spending/{userId}', {
		access: 'admin-or-manager',
		params: ofUser,
		query: z.object({ month: z.catch(z.optional(Text(7).check(z.regex(MONTH))), undefined) }),
		response: z.object({
			month: z.string(),
			days: z.array(
				z.object({
					day: z.iso.date(),
					marketing: z.number(),
					utility: z.number(),
					authentication: z.number(),
					service: z.number(),
				}),
			),
			total: z.number(),
		}),
	}),
}

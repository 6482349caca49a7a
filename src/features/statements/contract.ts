import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalId, Page, RowId, Text, Time } from '#lib/fields.ts'

export const StatementKind = z.enum(['recharge', 'hold', 'capture', 'release', 'refund'])
export type StatementKind = z.output<typeof StatementKind>

/** PostgreSQL has no year 0. */
export const StatementDay = Text(10).check(z.iso.date(), z.regex(/^[1-9]/))

/** An empty or unreadable filter filters nothing, as a link with a typo should still open. Days are Indian ones. */
const filters = {
	kind: z.catch(z.optional(StatementKind), undefined),
	from: z.catch(z.optional(StatementDay), undefined),
	to: z.catch(z.optional(StatementDay), undefined),
}

/** A line of a wallet's statement, in rupees: what it changed, and what was there after it. */
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
	/** Of a recharge; or what the line is for where it has neither. */
	notes: z.nullable(z.string()),
	adminName: z.nullable(z.string()),
})
export type StatementLine = z.output<typeof StatementLine>

/** What a campaign moved altogether, or a line that belongs to none. Both changes together are what was paid in or spent. */
export const StatementGroup = z.object({
	...z.omit(StatementLine, { available: true, held: true }).shape,
	/** The campaign whose lines it sums up, also of a template sent from a chat; null for a line of its own. */
	linesOf: z.nullable(RowId),
})
export type StatementGroup = z.output<typeof StatementGroup>

const CHOOSE_MONTH = 'Choose a month such as 2026-11'
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

const ofUser = z.object({ userId: Id })

/** `totals` are those of all lines that the filter lets through, not of this page alone. */
const ofWallet = {
	page: z.int(),
	pages: z.int(),
	totals: z.object({ recharged: z.number(), spent: z.number() }),
	user: z.object({ name: z.string(), createdAt: Time, walletBalance: z.number(), onHold: z.number() }),
}

export const statements = {
	list: endpoint('GET /api/wallet/statement/{userId}', {
		access: 'signed-in',
		params: ofUser,
		query: z.object({ page: Page, ...filters, campaign: z.catch(OptionalId, undefined) }),
		response: z.object({ lines: z.array(StatementLine), ...ofWallet }),
	}),
	/** The same lines, those of each campaign as one, which stands where its first line does. */
	groups: endpoint('GET /api/wallet/statement/{userId}/campaigns', {
		access: 'signed-in',
		params: ofUser,
		query: z.object({ page: Page, ...filters }),
		/** With `hasMore` there are more pages than have been counted. */
		response: z.object({ groups: z.array(StatementGroup), hasMore: z.boolean(), ...ofWallet }),
	}),
	export: endpoint('GET /api/wallet/statement/{userId}/csv', {
		effort: 'export',
		access: 'signed-in',
		params: ofUser,
		query: z.object(filters),
		response: { file: 'text/csv; charset=utf-8' },
	}),
	/** A month (this one where not said) as PDF: balances, totals, and every line. */
	pdf: endpoint('GET /api/wallet/statement/{userId}/pdf', {
		effort: 'long',
		access: 'signed-in',
		perMinute: 30,
		params: ofUser,
		query: z.object({ month: z.optional(Text(7, { tooLong: CHOOSE_MONTH }).check(z.regex(MONTH, CHOOSE_MONTH))) }),
		response: { file: 'application/pdf' },
	}),
	/** What each day of a month (2026-11; this one where not said) cost, by the template's category, in rupees. */
	spending: endpoint('GET /api/wallet/spending/{userId}', {
		access: 'signed-in',
		params: ofUser,
		query: z.object({ month: z.catch(z.optional(Text(7).check(z.regex(MONTH))), undefined) }),
		response: z.object({
			month: z.string(),
			days: z.array(
				z.object({ day: z.iso.date(), marketing: z.number(), utility: z.number(), authentication: z.number() }),
			),
			total: z.number(),
		}),
	}),
}

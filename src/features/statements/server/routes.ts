import { recordWork } from '#features/auth/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { getVisibleAccount, issuerOf, type RechargeContext } from '#features/wallet/server/service.ts'
import { indianDay } from '#lib/dates.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, pagesFor } from '#lib/server/db/paging.ts'
import { mount, type Http, type Session } from '#lib/server/http/http.ts'
import { statements } from '../contract.ts'
import { notesOf } from '../rules.ts'
import { exportStatement } from './export.ts'
import {
	countGroups,
	getAccountStart,
	listGroups,
	listLines,
	listSpending,
	totalLines,
	type Change,
	type DaySpending,
	type Line,
	type StatementFilter,
} from './queries.ts'
import { refundRoutes } from './refund-routes.ts'
import type { RefundContext } from './refund-service.ts'

/** Number of pages counted beyond the requested one. Older lines are reached with the day filter. */
const COUNTED_PAGES = 20

export function statementRoutes(http: Http, context: Pick<RechargeContext, 'env'> & RefundContext): void {
	const { db, env } = context
	refundRoutes(http, context)

	mount(http, statements.list, async ({ params, query, session }) => {
		const accountId = await getVisibleAccount(db, session, params.userId)
		const [lines, { count, ...wallet }] = await Promise.all([
			listLines(db, accountId, {
				filter: query,
				limit: PAGE_SIZE,
				offset: offsetOf({ page: query.page, limit: PAGE_SIZE }),
			}),
			readWallet(db, accountId, query),
		])
		return { lines: lines.map(present), page: query.page, pages: pagesFor(count, PAGE_SIZE), ...wallet }
	})

	mount(http, statements.groups, async ({ params, query, session }) => {
		const accountId = await getVisibleAccount(db, session, params.userId)
		const offset = offsetOf({ page: query.page, limit: PAGE_SIZE })
		const most = offset + COUNTED_PAGES * PAGE_SIZE
		const [groups, counted, { count: _, ...wallet }] = await Promise.all([
			listGroups(db, accountId, { filter: query, limit: PAGE_SIZE, offset }),
			countGroups(db, accountId, { filter: query, limit: most + 1 }),
			readWallet(db, accountId, query),
		])
		return {
			groups: groups.map((group) => ({ ...presentChange(group), linesOf: group.linesOf || null })),
			page: query.page,
			pages: pagesFor(Math.min(counted, most), PAGE_SIZE),
			hasMore: counted > most,
			...wallet,
		}
	})

	mount(http, statements.export, async ({ params, query, session }) => {
		const accountId = await getVisibleAccount(db, session, params.userId)
		await recordExport(db, session)
		const span = [query.from, query.to].filter(Boolean).join('_to_')
		return { filename: `wallet_statement${span && `_${span}`}.csv`, content: exportStatement(db, accountId, query) }
	})

	mount(http, statements.pdf, async ({ params: { userId }, query, session, request }) => {
		const month = query.month ?? thisMonth()
		const accountId = await getVisibleAccount(db, session, userId)
		await recordExport(db, session)
		// Loads the PDF code at the first request, as the receipt route does.
		const { makeStatement } = await import('./pdf/statement-file.ts')
		const content = await makeStatement(db, issuerOf(env), { accountId, month, signal: request.signal })
		return { filename: `statement_${month}_${userId}.pdf`, content }
	})

	mount(http, statements.spending, async ({ params, query, session }) => {
		const accountId = await getVisibleAccount(db, session, params.userId)
		const month = query.month ?? thisMonth()
		const rows = await listSpending(db, accountId, month)
		return { month, days: daysOf(rows), total: rupeesFromPaise(rows.reduce((sum, row) => sum + row.paise, 0)) }
	})
}

/** Records that a person of the account downloads its statement. Admins read the statements of all users. */
async function recordExport(db: Sql, { role, accountId, userId }: Session): Promise<void> {
	if (role === 'user') await recordWork(db, accountId, { by: userId, action: 'statement-exported' })
}

/** Reads the statement's header (user, balances, totals) and counts the lines that match the filter. */
async function readWallet(db: Sql, accountId: AccountId, filter: StatementFilter) {
	const [totals, { name, createdAt }, { availablePaise, heldPaise }] = await Promise.all([
		totalLines(db, accountId, filter),
		getAccountStart(db, accountId),
		getWallet(db, accountId),
	])
	return {
		count: totals.lines,
		totals: { recharged: rupeesFromPaise(totals.rechargedPaise), spent: rupeesFromPaise(totals.spentPaise) },
		user: { name, createdAt, walletBalance: rupeesFromPaise(availablePaise), onHold: rupeesFromPaise(heldPaise) },
	}
}

/** Returns the current month in Indian time. */
function thisMonth(): string {
	return indianDay(Date.now()).slice(0, 7)
}

function daysOf(rows: DaySpending[]) {
	return [...Map.groupBy(rows, (row) => row.day)].map(([day, ofDay]) => {
		const spent = (category: string) => rupeesFromPaise(ofDay.find((row) => row.category === category)?.paise ?? 0)
		return {
			day,
			marketing: spent('MARKETING'),
			utility: spent('UTILITY'),
			authentication: spent('AUTHENTICATION'),
			service: spent('SERVICE'),
		}
	})
}

function present(line: Line) {
	return {
		...presentChange(line),
		available: rupeesFromPaise(line.availablePaise),
		held: rupeesFromPaise(line.heldPaise),
	}
}

function presentChange(change: Change) {
	return {
		...change,
		_id: change.id,
		time: change.at,
		campaign: change.campaignId ? { _id: change.campaignId, name: change.campaignName ?? 'Campaign' } : null,
		availableChange: rupeesFromPaise(change.availableChangePaise),
		heldChange: rupeesFromPaise(change.heldChangePaise),
		notes: notesOf(change),
	}
}

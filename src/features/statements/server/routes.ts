import { getWallet } from '#features/wallet/server/ledger.ts'
import { getVisibleOwner, issuerOf, type RechargeContext } from '#features/wallet/server/service.ts'
import { indianDay } from '#lib/dates.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { offsetOf, pagesFor } from '#lib/server/paging.ts'
import { statements } from '../contract.ts'
import { notesOf } from '../rules.ts'
import { exportStatement } from './export.ts'
import { getAccountStart, listLines, listSpending, totalLines, type DaySpending, type Line } from './queries.ts'
import { refundRoutes } from './refund-routes.ts'
import type { RefundContext } from './refund-service.ts'

export function statementRoutes(http: Http, context: Pick<RechargeContext, 'env'> & RefundContext): void {
	const { db, env } = context
	refundRoutes(http, context)

	mount(http, statements.list, async ({ params, query, session }) => {
		const owner = await getVisibleOwner(db, session, params.userId)
		const offset = offsetOf({ page: query.page, limit: PAGE_SIZE })
		const [lines, totals, { name, createdAt }, { availablePaise, heldPaise }] = await Promise.all([
			listLines(db, owner, { filter: query, limit: PAGE_SIZE, offset }),
			totalLines(db, owner, query),
			getAccountStart(db, owner),
			getWallet(db, owner),
		])
		return {
			lines: lines.map(present),
			page: query.page,
			pages: pagesFor(totals.lines, PAGE_SIZE),
			totals: { recharged: rupeesFromPaise(totals.rechargedPaise), spent: rupeesFromPaise(totals.spentPaise) },
			user: {
				name,
				createdAt,
				walletBalance: rupeesFromPaise(availablePaise),
				onHold: rupeesFromPaise(heldPaise),
			},
		}
	})

	mount(http, statements.export, async ({ params, query, session }) => {
		const owner = await getVisibleOwner(db, session, params.userId)
		const span = [query.from, query.to].filter(Boolean).join('_to_')
		return { filename: `wallet_statement${span && `_${span}`}.csv`, content: exportStatement(db, owner, query) }
	})

	mount(http, statements.pdf, async ({ params: { userId }, query, session, request }) => {
		const month = query.month ?? thisMonth()
		const owner = await getVisibleOwner(db, session, userId)
		// As with receipts, loaded with the first one.
		const { makeStatement } = await import('./pdf/statement-file.ts')
		const content = await makeStatement(db, issuerOf(env), { owner, month, signal: request.signal })
		return { filename: `statement_${month}_${userId}.pdf`, content }
	})

	mount(http, statements.spending, async ({ params, query, session }) => {
		const owner = await getVisibleOwner(db, session, params.userId)
		const month = query.month ?? thisMonth()
		const rows = await listSpending(db, owner, month)
		return { month, days: daysOf(rows), total: rupeesFromPaise(rows.reduce((sum, row) => sum + row.paise, 0)) }
	})
}

/** The running month in India. */
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
		}
	})
}

function present(line: Line) {
	return {
		...line,
		_id: line.id,
		time: line.at,
		campaign: line.campaignId ? { _id: line.campaignId, name: line.campaignName ?? 'Campaign' } : null,
		availableChange: rupeesFromPaise(line.availableChangePaise),
		heldChange: rupeesFromPaise(line.heldChangePaise),
		available: rupeesFromPaise(line.availablePaise),
		held: rupeesFromPaise(line.heldPaise),
		notes: notesOf(line),
	}
}

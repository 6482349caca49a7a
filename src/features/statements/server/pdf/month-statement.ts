import type { StatementKind } from '#features/statements/contract.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import {
	getAccountName,
	getOpening,
	listMonthLines,
	totalCategories,
	totalKinds,
	type AccountName,
	type Balance,
	type CategoryTotal,
	type KindTotal,
	type MonthLine,
} from './month-queries.ts'

/** Lines read at a time, so that a month of any length passes through little memory. */
const BATCH_SIZE = 500

/** A line with its effect on the whole balance, available and on hold. */
export interface StatementRow extends MonthLine {
	inPaise: number
	outPaise: number
	/** The amount of a hold (positive) or a release (negative), which leave the whole balance as it is. */
	setAsidePaise: number
	/** All the money in the wallet after the line; `heldPaise` of it is set aside. */
	balancePaise: number
	heldPaise: number
}

export interface MonthStatement {
	/** 2026-11, in India. */
	month: string
	/** When it was read. */
	readAt: Date
	account: AccountName
	opening: Balance
	closing: Balance
	kinds: Record<StatementKind, KindTotal>
	categories: CategoryTotal[]
	/** Oldest first. Reads from the database as it goes; throws at the end if the lines do not lead to `closing`. */
	rows(): AsyncGenerator<StatementRow[]>
}

export const totalOf = ({ availablePaise, heldPaise }: Balance) => availablePaise + heldPaise

/**
 * Reads a month of a wallet and hands it to `write`, all of it as it was at one moment, however long that takes and whatever
 * is posted meanwhile. A statement that does not add up is an error: nobody gets one. `signal` breaks it off.
 */
export function readMonth<T>(
	db: Db,
	{ accountId, month, signal }: { accountId: AccountId; month: string; signal?: AbortSignal },
	write: (statement: MonthStatement) => Promise<T>,
): Promise<T> {
	const read = async (sql: Sql) => {
		const readAt = new Date()
		const account = await getAccountName(sql, accountId)
		const opening = await getOpening(sql, accountId, month)
		const found = await totalKinds(sql, accountId, month)
		const categories = await totalCategories(sql, accountId, month)
		const kinds = byKind(found)
		const closing = {
			availablePaise: found.reduce((sum, kind) => sum + kind.availablePaise, opening.availablePaise),
			heldPaise: found.reduce((sum, kind) => sum + kind.heldPaise, opening.heldPaise),
		}
		const spent = categories.reduce((sum, { chargedPaise, refundedPaise }) => sum + chargedPaise - refundedPaise, 0)
		mustEqual('the spending by category', spent, -totalOf(kinds.capture) - totalOf(kinds.refund))
		const rows = () => readRows(sql, { accountId, month, signal, opening, closing })
		return write({ month, readAt, account, opening, closing, kinds, categories, rows })
	}
	return transaction(db, read, { isSnapshot: true })
}

function byKind(found: KindTotal[]): Record<StatementKind, KindTotal> {
	const none = { lines: 0, messages: 0, availablePaise: 0, heldPaise: 0 }
	const of = (kind: StatementKind) => found.find((total) => total.kind === kind) ?? { kind, ...none }
	return {
		recharge: of('recharge'),
		hold: of('hold'),
		capture: of('capture'),
		release: of('release'),
		refund: of('refund'),
	}
}

interface Span {
	accountId: AccountId
	month: string
	signal: AbortSignal | undefined
	opening: Balance
	closing: Balance
}

async function* readRows(
	sql: Sql,
	{ accountId, month, signal, opening, closing }: Span,
): AsyncGenerator<StatementRow[]> {
	let { availablePaise, heldPaise } = opening
	for (let after: number | null = null; ;) {
		signal?.throwIfAborted()
		const lines = await listMonthLines(sql, accountId, { month, after, limit: BATCH_SIZE })
		const rows = lines.map((line): StatementRow => {
			const { availableChangePaise, heldChangePaise } = line
			availablePaise += availableChangePaise
			heldPaise += heldChangePaise
			const change = availableChangePaise + heldChangePaise
			return {
				...line,
				inPaise: Math.max(change, 0),
				outPaise: Math.max(-change, 0),
				setAsidePaise: change === 0 ? heldChangePaise : 0,
				balancePaise: availablePaise + heldPaise,
				heldPaise,
			}
		})
		if (rows.length > 0) yield rows
		const last = lines.at(-1)
		if (!last || lines.length < BATCH_SIZE) break
		after = last.id
	}
	mustEqual('the lines', availablePaise, closing.availablePaise)
	mustEqual('the lines, on hold,', heldPaise, closing.heldPaise)
}

function mustEqual(what: string, paise: number, expectedPaise: number): void {
	if (paise !== expectedPaise) throw new Error(`${what} of a statement come to ${paise} paise, not ${expectedPaise}`)
}

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

/** Lines per query, which bounds memory for a month of any length. */
const BATCH_SIZE = 500

/** A line with its effect on the total balance (available plus held). */
export interface StatementRow extends MonthLine {
	inPaise: number
	outPaise: number
	/** Amount of a hold (positive) or a release (negative), which do not change the total balance. */
	setAsidePaise: number
	/** Total balance after the line, of which `heldPaise` is on hold. */
	balancePaise: number
	heldPaise: number
}

export interface MonthStatement {
	/** Month in Indian time, such as 2026-11. */
	month: string
	/** Time of the snapshot. */
	readAt: Date
	account: AccountName
	opening: Balance
	closing: Balance
	kinds: Record<StatementKind, KindTotal>
	categories: CategoryTotal[]
	/**
	 * Yields the lines in batches, oldest first, reading from the database on demand. Throws at the end if they do not add
	 * up to `closing`.
	 */
	rows(): AsyncGenerator<StatementRow[]>
}

export const totalOf = ({ availablePaise, heldPaise }: Balance) => availablePaise + heldPaise

/**
 * Reads a month of a wallet in one database snapshot and passes it to `write`. Throws when the lines do not add up, so
 * that no wrong statement is delivered; `signal` aborts the reading.
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
		reversal: of('reversal'),
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

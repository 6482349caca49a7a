import { randomUUID } from 'node:crypto'
import { getMember, getOwner } from '#features/auth/server/service.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { announceLive } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { notFound } from '#lib/server/errors.ts'
import type { Session } from '#lib/server/http.ts'
import type { Notify } from '#lib/server/notify.ts'
import { getWallet, openWallet, post } from './ledger.ts'
import * as queries from './queries.ts'

export { getWallet, openWallet, post }

/** The screens show all of an account's recharges at once; nobody has more than this. */
const MOST_RECHARGES = 1000

export interface NewRecharge {
	amountPaise: number
	notes?: string | undefined
	/** Names the request, so that repeating it recharges once. */
	requestId?: string | undefined
	adminId: number
}

/**
 * Adds money to a user's wallet and returns the balance after it. A repeated request, be it at the very same moment,
 * posts nothing and is answered as the first one was.
 */
export async function recharge(
	context: { db: Db; notify: Notify },
	userId: string,
	wanted: NewRecharge,
): Promise<number> {
	const { db } = context
	const member = await getMember(db, userId)
	if (member.role !== 'user') throw notFound('User')
	const reference = `recharge:${wanted.requestId ?? randomUUID()}`
	return transaction(db, (sql) => postRecharge(sql, context, { ...wanted, owner: member.ownerId, reference }))
}

async function postRecharge(
	sql: Sql,
	{ notify }: { notify: Notify },
	wanted: NewRecharge & { owner: OwnerId; reference: string },
): Promise<number> {
	const { owner, reference, amountPaise, notes, adminId } = wanted
	// Requests for one wallet queue up here, so that a repeated one sees what the first did and tells nobody again.
	await queries.lockWallet(sql, owner)
	const before = await queries.findBalanceAfter(sql, owner, reference)
	if (before !== undefined) return before
	const after = await post(sql, owner, { kind: 'recharge', reference, paise: amountPaise, notes, adminId })
	if (!after) throw new Error(`account ${owner} has no wallet`)
	await announceLive(sql, owner, { kind: 'wallet' })
	await notify(sql, owner, {
		text: `Your wallet was recharged with ${formatRupees(rupeesFromPaise(amountPaise))}`,
		link: '/user/recharge/transaction',
	})
	return after.availablePaise
}

/** A user's recharges: users see their own, admins everyone's. */
export async function listRecharges(db: Db, session: Session, userId: string): Promise<queries.Recharge[]> {
	if (session.role !== 'admin' && userId !== String(session.userId)) throw notFound('User')
	return queries.listRecharges(db, await getOwner(db, userId), MOST_RECHARGES)
}

import { type EmailChangeState } from '#features/auth/contract.ts'
import { problem } from '#features/auth/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { insertAdminAction } from '../audit-queries.ts'
import * as queries from '../email-change-queries.ts'
import type { OnColleaguesRemoved } from '../people-queries.ts'
import { namesOfPrograms, type AccountPrograms, type ProgramAccess } from '../programs.ts'
import { hideColleagues } from '../queries.ts'
import { deleteResets } from '../reset-queries.ts'
import { endAccess, isSame } from './sign-in-changes.ts'

interface LinkContext {
	db: Db
	programs: AccountPrograms
	onColleaguesRemoved: OnColleaguesRemoved
}

/**
 * Returns the state of a mailed link, and for an open link the new address and the programs made since the change.
 * Throws 400 for an unknown link.
 */
export async function readEmailLink(
	{ db, programs }: LinkContext,
	token: string,
): Promise<{ state: EmailChangeState; newEmail: string | null; madeSince: ProgramAccess[] }> {
	const link = await queries.findEmailLink(db, sha256(token))
	if (!link) throw problem('link_invalid')
	const state = link.outcome ?? (link.isPending ? 'open' : 'expired')
	if (state !== 'open') return { state, newEmail: null, madeSince: [] }
	return { state, newEmail: link.newEmail, madeSince: await programs.list(db, link.accountId, link.unprovedSince) }
}

interface UsedLink {
	token: string
	ip: string
}

/** The user whose address was changed. */
interface Settled {
	userId: number
	account: AccountId
}

/**
 * Makes the new address the only one, by a link that was mailed to the last proved address. Throws 400 for a link that
 * is not open.
 */
export async function agreeEmailChange(db: Db, link: UsedLink): Promise<Settled> {
	const { settled } = await settle(db, { ...link, action: 'email-confirmed' }, async (sql, { userId, email }) => {
		await queries.setProvedEmail(sql, userId, email)
		await queries.closeEmailLinks(sql, userId, { outcome: 'agreed', agreed: email })
		await deleteResets(sql, userId)
	})
	return settled
}

/**
 * Makes the last proved address the only one again, ends all sessions, revokes the programs made since the change, and
 * removes the colleagues invited since, each with an entry in the audit trail.
 * Returns the revoked programs and the remaining ones; throws 400 for a link that is not open.
 */
export async function undoEmailChange(
	{ db, programs, onColleaguesRemoved }: LinkContext,
	link: UsedLink,
): Promise<Settled & { revoked: ProgramAccess[]; remaining: ProgramAccess[] }> {
	const { settled, result } = await settle(db, { ...link, action: 'email-undone' }, async (sql, pending) => {
		const { userId, accountId, provedEmail, unprovedSince, ip } = pending
		const revoked = await programs.list(sql, accountId, unprovedSince)
		await programs.revoke(sql, accountId, unprovedSince)
		const removed = await hideColleagues(sql, accountId, unprovedSince)
		for (const subjectId of removed)
			await insertAdminAction(sql, { actorId: userId, subjectId, action: 'colleague-removed', ip })
		await onColleaguesRemoved(sql, accountId, removed)
		if (revoked.length > 0) {
			const details = namesOfPrograms(revoked)
			await insertAdminAction(sql, { actorId: userId, subjectId: userId, action: 'programs-revoked', details, ip })
		}
		await queries.setProvedEmail(sql, userId, provedEmail)
		await queries.closeEmailLinks(sql, userId, { outcome: 'undone' })
		await endAccess(sql, userId)
		return { revoked, remaining: await programs.list(sql, accountId, null) }
	})
	return { ...settled, ...result }
}

type Pending = queries.Addresses & { provedEmail: string; ip: string }

function settle<T>(
	db: Db,
	{ token, ip, action }: UsedLink & { action: 'email-confirmed' | 'email-undone' },
	apply: (sql: Sql, pending: Pending) => Promise<T>,
): Promise<{ settled: Settled; result: T }> {
	const tokenHash = sha256(token)
	return retriedTransaction(db, async (sql) => {
		const userId = (await queries.findEmailLink(sql, tokenHash))?.userId
		const addresses = userId === undefined ? undefined : await queries.lockAddresses(sql, userId)
		// Reads the link again under the lock, because another link may have been used in the meantime.
		const link = addresses && (await queries.findEmailLink(sql, tokenHash))
		const isUsable =
			link?.outcome === null &&
			link.isPending &&
			(action === 'email-undone' || isSame(link.newEmail, addresses?.email ?? ''))
		if (!addresses || addresses.provedEmail === null || !isUsable) throw problem('link_invalid')
		const result = await apply(sql, { ...addresses, provedEmail: addresses.provedEmail, ip })
		await insertAdminAction(sql, { actorId: addresses.userId, subjectId: addresses.userId, action, ip })
		return { settled: { userId: addresses.userId, account: addresses.accountId }, result }
	})
}

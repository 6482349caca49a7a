import type { ColleagueSeat } from '#features/auth/contract.ts'
import { SEAT_NAMES } from '#features/auth/seat-names.ts'
import { endAccess } from '#features/auth/server/passwords/sign-in-changes.ts'
import type { OnColleaguesRemoved } from '#features/auth/server/people-queries.ts'
import { hideUser, lockUsers, updateSeat } from '#features/auth/server/queries.ts'
import { inviteAgain, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { lockColleague } from './colleague-queries.ts'

/** An owner's change of a colleague. `actor` is the owner. */
export interface OwnersChange {
	actor: Actor
	id: string
}

/** Mails the invitation again. Throws 409 for a colleague who has chosen a password. */
export async function inviteColleagueAgain(db: Db, accountId: AccountId, change: OwnersChange): Promise<void> {
	const id = await changeColleague(db, accountId, { ...change, apply: async (_, colleague) => colleague.id })
	await inviteAgain(db, id, change.actor)
}

/** Changes the seat. Ends the colleague's sessions, because their browser shows the screens of the former seat. */
export function setSeat(
	db: Db,
	accountId: AccountId,
	{ seat, ...change }: OwnersChange & { seat: ColleagueSeat },
): Promise<void> {
	return changeColleague(db, accountId, {
		...change,
		async apply(sql, before) {
			if (before.seat === seat) return
			await updateSeat(sql, before.id, seat)
			// The mailed invitation stays valid.
			if (!before.isInvited) await endAccess(sql, before.id)
			const details = `${SEAT_NAMES[before.seat]} → ${SEAT_NAMES[seat]}`
			await recordAdminAction(sql, change.actor, { action: 'colleague-changed', subjectId: before.id, details })
		},
	})
}

/** Hides a colleague, whose address becomes free, ends the sessions, and takes back the colleague's chats. */
export function removeColleague(
	{ db, onColleaguesRemoved }: { db: Db; onColleaguesRemoved: OnColleaguesRemoved },
	accountId: AccountId,
	change: OwnersChange,
): Promise<void> {
	return changeColleague(db, accountId, {
		...change,
		async apply(sql, { id }) {
			await hideUser(sql, id)
			await endAccess(sql, id)
			await onColleaguesRemoved(sql, accountId, [id])
			await recordAdminAction(sql, change.actor, { action: 'colleague-removed', subjectId: id })
		},
	})
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockColleague>>>

/** Runs a change of a colleague under `lockUsers`. Throws 404 for anybody else. */
function changeColleague<T>(
	db: Db,
	accountId: AccountId,
	{ id, apply }: OwnersChange & { apply: (sql: Sql, before: Locked) => Promise<T> },
): Promise<T> {
	return retriedTransaction(db, async (sql) => {
		await lockUsers(sql)
		const before = await lockColleague(sql, accountId, Number(id))
		if (!before) throw notFound('Colleague')
		return apply(sql, before)
	})
}

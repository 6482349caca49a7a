import { slowDown } from '#features/auth/server/passwords/sign-in-changes.ts'
import type { OnColleaguesRemoved } from '#features/auth/server/people-queries.ts'
import { createProveAgain } from '#features/auth/server/second-factor/prove-again.ts'
import { actorOf, getMember, inviteColleague } from '#features/auth/server/service.ts'
import { HOUR_MS } from '#lib/durations.ts'
import type { Db } from '#lib/server/db.ts'
import { createBackoff } from '#lib/server/http/backoff.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { colleagues } from '../colleague-contract.ts'
import { listColleagues, type ColleagueRow } from './colleague-queries.ts'
import { inviteColleagueAgain, removeColleague, setSeat } from './colleagues.ts'

/** Longest wait in milliseconds between invitations, each of which tells whether an address is taken. */
const MAX_INVITATION_WAIT_MS = HOUR_MS

interface ColleaguesContext {
	db: Db
	vault: Vault
	onColleaguesRemoved: OnColleaguesRemoved
}

export function colleagueRoutes(http: Http, context: ColleaguesContext): void {
	const { db } = context
	const proveAgain = createProveAgain(context)
	const backoff = createBackoff(10, { maxWaitMs: MAX_INVITATION_WAIT_MS })

	mount(http, colleagues.list, async ({ session }) => ({
		colleagues: (await listColleagues(db, session.accountId)).map(present),
	}))

	mount(http, colleagues.invite, async (call) => {
		const { accountId, userId } = call.session
		await proveAgain(userId, call.body)
		slowDown(backoff, String(accountId))
		await inviteColleague(db, accountId, { actor: actorOf(call), person: call.body })
		securityLog(call.request, { event: 'colleague.changed', reason: 'invited' })
		return { message: 'The invitation is on its way' }
	})

	mount(http, colleagues.inviteAgain, async (call) => {
		await inviteColleagueAgain(db, call.session.accountId, { actor: actorOf(call), id: call.params.id })
		return { message: 'A new invitation is on its way. The earlier link no longer works.' }
	})

	mount(http, colleagues.setSeat, async (call) => {
		await proveAgain(call.session.userId, call.body)
		const change = { actor: actorOf(call), id: call.params.id, seat: call.body.seat }
		await setSeat(db, call.session.accountId, change)
		securityLog(call.request, { event: 'colleague.changed', reason: 'seat' })
		return { message: 'The role was changed' }
	})

	mount(http, colleagues.remove, async (call) => {
		await removeColleague(context, call.session.accountId, { actor: actorOf(call), id: call.params.id })
		securityLog(call.request, { event: 'colleague.changed', reason: 'removed' })
		return { message: 'The colleague was removed and signed out' }
	})

	mount(http, colleagues.ofUser, async ({ params }) => {
		const { accountId } = await getMember(db, params.id)
		return { colleagues: (await listColleagues(db, accountId)).map(present) }
	})
}

function present({ id, ...row }: ColleagueRow) {
	return { ...row, _id: id }
}

import type { OnColleaguesRemoved } from '#features/auth/server/people-queries.ts'
import type { Balances } from '#features/auth/server/queries.ts'
import { actorOf } from '#features/auth/server/service.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { createBackoff } from '#lib/server/http/backoff.ts'
import { addressOf, mount, type Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { users } from '../contract.ts'
import { colleagueRoutes } from './colleague-routes.ts'
import { countDeleted, listDeleted } from './deleted-queries.ts'
import { updateProfile } from './profile-service.ts'
import * as queries from './queries.ts'
import { deleteUser, editUser, resetSecondFactor, setLinks, setStatus, type UsersContext } from './service.ts'

/** Longest wait in milliseconds between repeated changes of the address. */
const MAX_EMAIL_WAIT_MS = HOUR_MS

interface RoutesContext extends UsersContext {
	balances: Balances
	onColleaguesRemoved: OnColleaguesRemoved
	vault: Vault
	env: UsersContext['env'] & { KEEP_ACCOUNT_DAYS: number }
}

export function userRoutes(http: Http, context: RoutesContext): void {
	const { db, balances, env } = context
	const backoff = createBackoff(5)
	const emailBackoff = createBackoff(5, { maxWaitMs: MAX_EMAIL_WAIT_MS })

	mount(http, users.me, ({ session }) => getProfile(context, session.userId))

	mount(http, users.updateMe, async ({ session, body, request }) => {
		const caller = { ...session, ip: addressOf(request) }
		for (const event of await updateProfile({ ...context, backoff, emailBackoff }, caller, body))
			securityLog(request, { event })
		return { message: 'Profile updated successfully', user: await getProfile(context, session.userId) }
	})

	mount(http, users.list, async ({ query }) => {
		const listing = queries.listUsers(db, { ...query, balances })
		const { rows, ...place } = await readPage(query, listing, queries.countUsers(db, query.search))
		return { users: rows.map(present), ...place }
	})

	mount(http, users.deleted, async ({ query }) => {
		const days = env.KEEP_ACCOUNT_DAYS
		const { rows, ...place } = await readPage(query, listDeleted(db, { days, ...query }), countDeleted(db))
		const shown = rows.map(({ id, ...row }) => ({ ...row, _id: id, erasedFrom: days === 0 ? null : row.erasedFrom }))
		return { users: shown, ...place, keepDays: days }
	})

	mount(http, users.update, async (call) => {
		const { id } = call.params
		await editUser(context, actorOf(call), { ...call.body, id })
		return { message: 'User updated successfully', user: present(await getUser(context, Number(id))) }
	})

	mount(http, users.remove, async (call) => {
		await deleteUser(context, actorOf(call), call.params.id)
		return { message: 'User deleted successfully' }
	})

	mount(http, users.resetSecondFactor, async (call) => {
		await resetSecondFactor(context, actorOf(call), call.params.id)
		return { message: 'Two-step login was reset' }
	})

	mount(http, users.setLinks, async (call) => {
		const { isStopped, reason = '' } = call.body
		const wanted = { id: call.params.id, reason: isStopped ? reason : null }
		const linksStopped = await setLinks(context, actorOf(call), wanted)
		return { message: `Links were ${isStopped ? 'stopped' : 'resumed'} successfully`, linksStopped }
	})

	mount(http, users.toggleStatus, async (call) => {
		const isActive = await setStatus(context, actorOf(call), { ...call.params, isActive: call.body.isActive })
		return { message: `User ${isActive ? 'activated' : 'deactivated'} successfully`, isActive }
	})

	colleagueRoutes(http, context)
}

async function getUser({ db, balances }: RoutesContext, userId: number): Promise<queries.User> {
	const user = await queries.findUser(db, userId, balances)
	if (!user) throw notFound('User')
	return user
}

async function getProfile(context: RoutesContext, userId: number) {
	const [user, pendingEmail = null] = await Promise.all([
		getUser(context, userId),
		queries.findPendingEmail(context.db, userId),
	])
	return { ...present(user), id: userId, pendingEmail }
}

function present({ id, balancePaise, linksStoppedAt, linksStoppedReason, ...user }: queries.User) {
	const linksStopped = linksStoppedAt && { since: linksStoppedAt, reason: linksStoppedReason ?? '' }
	return { ...user, _id: id, walletBalance: rupeesFromPaise(balancePaise), linksStopped }
}

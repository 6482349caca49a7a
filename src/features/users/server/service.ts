import { changeEmail, endAccess } from '#features/auth/server/passwords/sign-in-changes.ts'
import { hideColleagues, hideUser, lockUsers, updateLinks, updateUser } from '#features/auth/server/queries.ts'
import {
	recordAdminAction,
	takeSecondFactorAway,
	type AccountContext,
	type Actor,
} from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { problem } from '#features/users/problems.ts'
import { stateText } from '#lib/gst-states.ts'
import { stateOfGstin } from '#lib/gstin.ts'
import { notFound, unauthenticated } from '#lib/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Business, EditUserRequest } from '../contract.ts'
import * as queries from './queries.ts'
import type { UserState } from './queries.ts'

/** Pauses an account's campaigns when its user is deactivated or deleted. The app supplies it. */
export type OnAccountStopped = (sql: Sql, accountId: AccountId, reason: string) => Promise<void>

export interface UsersContext {
	db: Db
	env: AccountContext['env']
	onAccountStopped: OnAccountStopped
	notify: Notify
}

/** Edits a user. Ends the user's sessions when the role changes or the user is deactivated. */
export async function editUser(context: UsersContext, actor: Actor, wanted: EditUserRequest & { id: string }) {
	await changeUser(context, actor, {
		id: wanted.id,
		async apply(sql, before) {
			const { name, email, role, isActive } = wanted
			const { unchanged } = wanted
			const person = { ...before, name, email, role, isActive, ...pick(before, unchanged) }
			const after = { ...person, ...changedBusiness(before, omit(wanted, unchanged)) }
			await refuseLockout(sql, actor, { before, after })
			await updateUser(sql, before.id, after)
			await changeEmail(sql, { userId: before.id, email: after.email, proof: 'admin' })
			await endAccessAndCampaigns(sql, context, { before, after })
			const details = changes(before, after)
			if (details) await recordAdminAction(sql, actor, { action: 'user-edited', subjectId: before.id, details })
		},
	})
}

/** Sets a user's status, by default to the opposite. Returns the new status. */
export function setStatus(
	context: UsersContext,
	actor: Actor,
	{ id, isActive }: { id: string; isActive: boolean | undefined },
): Promise<boolean> {
	return changeUser(context, actor, {
		id,
		async apply(sql, before) {
			const after = { ...before, isActive: isActive ?? !before.isActive }
			if (after.isActive === before.isActive) return after.isActive
			await refuseLockout(sql, actor, { before, after })
			await updateUser(sql, before.id, after)
			await endAccessAndCampaigns(sql, context, { before, after })
			const action = after.isActive ? 'user-activated' : 'user-deactivated'
			await recordAdminAction(sql, actor, { action, subjectId: before.id })
			return after.isActive
		},
	})
}

/**
 * Stops the counted links of a user's account for `reason`, or resumes them when `reason` is null. Returns the stop, or
 * null for working links; a repeated call changes nothing.
 */
export function setLinks(
	context: UsersContext,
	actor: Actor,
	{ id, reason }: { id: string; reason: string | null },
): Promise<queries.StoppedLinks | null> {
	return changeUser(context, actor, {
		id,
		async apply(sql, before) {
			const stopped = await queries.findStoppedLinks(sql, before.id)
			if ((reason !== null) === (stopped !== undefined)) return stopped ?? null
			const since = await updateLinks(sql, before.id, reason)
			const action = reason === null ? 'links-resumed' : 'links-stopped'
			await recordAdminAction(sql, actor, { action, subjectId: before.id, ...(reason !== null && { details: reason }) })
			const notification = reason === null ? notificationOf.linksResumed() : notificationOf.linksStopped({ reason })
			await context.notify(sql, before.accountId, notification)
			return since && { since, reason: reason ?? '' }
		},
	})
}

/** Hides a user and their colleagues permanently. Money records remain, and the addresses become free. */
export async function deleteUser(context: UsersContext, actor: Actor, id: string): Promise<void> {
	await changeUser(context, actor, {
		id,
		async apply(sql, before) {
			await refuseLockout(sql, actor, { before, after: null })
			await hideUser(sql, before.id)
			await hideColleagues(sql, before.accountId, null)
			await endAccessAndCampaigns(sql, context, { before, after: null })
			await recordAdminAction(sql, actor, { action: 'user-deleted', subjectId: before.id })
		},
	})
}

/**
 * Deletes a user's second factor, so that the password is enough to sign in and the user can set up another one. Throws 400
 * for the admin's own factor, and 409 when the user has none.
 */
export async function resetSecondFactor(context: UsersContext, actor: Actor, id: string): Promise<void> {
	await changeUser(context, actor, {
		id,
		withColleagues: true,
		async apply(sql, before) {
			if (before.id === actor.adminId) throw problem('own_second_factor')
			await takeSecondFactorAway(sql, actor, before.id)
		},
	})
}

function pick<T>(from: T, keys: readonly (keyof T)[] = []): Partial<T> {
	const picked: Partial<T> = {}
	for (const key of keys) picked[key] = from[key]
	return picked
}

function omit<T extends object>(from: T, keys: readonly (keyof T)[] = []): Partial<T> {
	const rest: Partial<T> = { ...from }
	for (const key of keys) delete rest[key]
	return rest
}

interface Change<T> {
	id: string
	/** True for a change that an admin may also make to a colleague, whose other matters are the owner's. */
	withColleagues?: true
	apply(sql: Sql, before: UserState): Promise<T>
}

/**
 * Runs a change of a user under `lockUsers`. Throws 401 when the calling admin is no longer an active admin after the
 * wait for the lock, and 404 for an unknown user, or a colleague without `withColleagues`.
 */
function changeUser<T>({ db }: UsersContext, actor: Actor, wanted: Change<T>): Promise<T> {
	return retriedTransaction(db, async (sql) => {
		await lockUsers(sql)
		const asking = await queries.lockUser(sql, actor.adminId)
		if (!asking?.isActive || asking.role !== 'admin') throw unauthenticated()
		const before = await queries.lockUser(sql, Number(wanted.id))
		if (!before || (before.worksIn !== null && !wanted.withColleagues)) throw notFound('User')
		return wanted.apply(sql, before)
	})
}

/** A user's state before and after a change; `after` is null for a deletion. */
interface Transition {
	before: UserState
	after: UserState | null
}

async function refuseLockout(sql: Sql, actor: Actor, { before, after }: Transition): Promise<void> {
	const isAdmin = before.role === 'admin' && before.isActive
	const staysAdmin = after?.role === 'admin' && after.isActive
	if (isAdmin && !staysAdmin && (await queries.countOtherActiveAdmins(sql, before.id)) === 0) {
		throw problem('last_admin', { change: changeOf({ before, after }) })
	}
	if (before.id !== actor.adminId) return
	if (!after) throw problem('own_deletion')
	if (before.isActive && !after.isActive) throw problem('own_deactivation')
	if (before.role !== after.role) throw problem('own_role')
}

function changeOf({ after }: Transition) {
	if (!after) return 'deleted'
	return after.isActive ? 'made a user' : 'deactivated'
}

/**
 * Ends sessions and pauses campaigns that the change makes invalid. The browser of a user with another role shows the wrong
 * screens, and an admin has no screens to pause campaigns.
 */
async function endAccessAndCampaigns(sql: Sql, context: UsersContext, { before, after }: Transition): Promise<void> {
	const isStopped = !after || (before.isActive && !after.isActive)
	const isOtherRole = after !== null && after.role !== before.role
	if (isStopped || isOtherRole) await endAccess(sql, before.id)
	// An order that was being written while the account was stopped was not paused then. Pauses it now, so that the
	// reactivation does not start it.
	const isBack = after !== null && !isSending(before) && isSending(after)
	if (isBack) await context.onAccountStopped(sql, before.accountId, 'The account was deactivated by an administrator.')
	if (isStopped || (isOtherRole && after.role === 'admin')) {
		const what = !after ? 'deleted' : isStopped ? 'deactivated' : 'made an admin'
		await context.onAccountStopped(sql, before.accountId, `The account was ${what} by an administrator.`)
	}
}

const isSending = ({ isActive, role }: UserState) => isActive && role === 'user'

type BusinessChange = { [Field in keyof Business]?: string | undefined }

/**
 * Returns the business details after a change; fields that `wanted` omits stay. The state follows the GSTIN: throws 400
 * for another state.
 */
export function changedBusiness(before: Business, wanted: BusinessChange): Business {
	const gstin = wanted.gstin ?? before.gstin
	const state = stateOfGstin(gstin)
	if (state && wanted.businessState && wanted.businessState !== state)
		throw problem('state_of_gstin', { state: stateText(state) })
	return {
		businessName: wanted.businessName ?? before.businessName,
		businessAddress: wanted.businessAddress ?? before.businessAddress,
		businessState: state || (wanted.businessState ?? before.businessState),
		gstin,
	}
}

/** Returns the differences, such as "name Asha → Asha Rao; role user → admin"; an empty text without any. */
function changes(before: UserState, after: UserState): string {
	return [
		change('name', before.name, after.name),
		change('email', before.email, after.email),
		change('role', before.role, after.role),
		change('status', statusWord(before), statusWord(after)),
		change('business name', before.businessName, after.businessName),
		change('business address', before.businessAddress, after.businessAddress),
		change('state', stateText(before.businessState), stateText(after.businessState)),
		change('GSTIN', before.gstin, after.gstin),
	]
		.filter((said) => said !== '')
		.join('; ')
}

function change(label: string, from: string, to: string): string {
	return from === to ? '' : `${label} ${from || 'none'} → ${to || 'none'}`
}

function statusWord({ isActive }: UserState): string {
	return isActive ? 'active' : 'inactive'
}

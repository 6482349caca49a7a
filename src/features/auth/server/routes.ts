import { transaction } from '#lib/server/db.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { createBackoff } from '#lib/server/http/backoff.ts'
import { addressOf, mount, type Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { auth } from '../contract.ts'
import { countAdminActions, listAdminActions } from './audit-queries.ts'
import { commonPasswords } from './password-policy.ts'
import { agreeEmailChange, readEmailLink, undoEmailChange } from './passwords/email-change-service.ts'
import { forgotPassword, resetPassword } from './passwords/password-service.ts'
import type { OnColleaguesRemoved } from './people-queries.ts'
import { getShownBalance, type Balances } from './queries.ts'
import { MAX_CODE_WAIT_MS } from './second-factor/prove-again.ts'
import {
	confirmSecondFactor,
	readSecondFactor,
	removeSecondFactor,
	startSecondFactor,
	type SecondFactorContext,
} from './second-factor/second-factor-service.ts'
import { takeSecondStep } from './second-factor/second-step-service.ts'
import { actorOf, createUser, getMember, inviteAgain, inviteUser, type AccountContext } from './service.ts'
import { listActivity } from './sessions/activity.ts'
import { createFailureLimit } from './sessions/failure-limit.ts'
import { presentAdminAction, presentMember, presentSession } from './sessions/present.ts'
import { listSessions } from './sessions/session-queries.ts'
import { endSessions, login, logout, type FailedSignIn } from './sessions/sessions.ts'

interface RoutesContext extends AccountContext, Pick<SecondFactorContext, 'vault'> {
	balances: Balances
	onColleaguesRemoved: OnColleaguesRemoved
	env: AccountContext['env'] & { SESSION_IDLE_HOURS: number; REQUIRE_ADMIN_TOTP: boolean }
}

export function authRoutes(http: Http, context: RoutesContext): void {
	const { db, vault, env, balances } = context
	const guard = {
		// Limits that leave room for the typing errors of an office behind one network address: 20 failures a minute per
		// network address, 5 attempts per account from one address, 50 per account from all addresses. Further attempts wait 1
		// s, doubling to 30 s; 15 minutes without an attempt reset the count.
		failures: createFailureLimit({ maxFailures: 20, maxInFlight: 50 }),
		byAddress: createBackoff(5),
		byAccount: createBackoff(50),
	}

	mount(http, auth.login, async ({ body, request }) => {
		const userAgent = request.headers['user-agent'] ?? ''
		const onFailed = (failed: FailedSignIn) => securityLog(request, { event: 'sign-in.failed', ...failed })
		const opened = await login({ db, vault, guard, onFailed }, { ...body, userAgent, ip: addressOf(request) })
		securityLog(request, { event: 'sign-in.succeeded', userId: opened.member.id, account: opened.member.accountId })
		const user = presentMember(opened.member, await getShownBalance(db, opened.member, balances))
		return { token: opened.token, user, message: 'Login successful!' }
	})

	mount(http, auth.logout, async ({ session, request }) => {
		await logout(db, session)
		securityLog(request, { event: 'sessions.ended', reason: 'this one' })
		return { message: 'Logged out successfully' }
	})

	mount(http, auth.logoutEverywhere, async ({ session, request }) => {
		await transaction(db, (sql) => endSessions(sql, session.userId, null))
		securityLog(request, { event: 'sessions.ended', reason: 'all' })
		return { message: 'You are signed out everywhere' }
	})

	mount(http, auth.sessions, async ({ session }) => {
		const rows = await listSessions(db, session.userId, env.SESSION_IDLE_HOURS)
		return { sessions: rows.map((row) => presentSession(row, session.tokenHash)) }
	})

	mount(http, auth.activity, async ({ session }) => ({ activity: await listActivity(db, session.userId) }))

	mount(http, auth.createUser, async (call) => {
		const member = await createUser(context, call.body, actorOf(call))
		return { message: 'User created successfully', user: presentMember(member, 0) }
	})

	mount(http, auth.inviteUser, async (call) => {
		const member = await inviteUser(context, call.body, actorOf(call))
		return { message: 'User created. A link to choose the password is on its way.', user: presentMember(member, 0) }
	})

	mount(http, auth.inviteAgain, async (call) => {
		const { id } = await getMember(db, call.params.id)
		await inviteAgain(db, id, actorOf(call))
		return { message: 'A new link is on its way. Earlier ones no longer work.' }
	})

	mount(http, auth.adminActions, async ({ query }) => {
		const { rows, ...place } = await readPage(query, listAdminActions(db, query), countAdminActions(db, query.search))
		return { actions: rows.map(presentAdminAction), ...place }
	})

	forgottenPasswordRoutes(http, context)
	emailChangeRoutes(http, context)
	secondFactorRoutes(http, context)
}

function forgottenPasswordRoutes(http: Http, context: AccountContext): void {
	const { db } = context
	const backoff = createBackoff(5)

	mount(http, auth.commonPasswords, async () => ({ passwords: [...(await commonPasswords())] }))

	mount(http, auth.forgot, async ({ body, request }) => {
		await forgotPassword({ db, backoff }, { email: body.email, ip: addressOf(request) })
		securityLog(request, { event: 'password-reset.asked', email: body.email })
		return { message: 'If this email address has an account, we have sent it a link to reset the password.' }
	})

	mount(http, auth.resetPassword, async ({ body, request }) => {
		const { person, programs } = await resetPassword(context, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'password-reset.done', userId: person.id, account: person.accountId })
		return { message: 'Your password has been reset. Please log in with the new one.', programs }
	})
}

function emailChangeRoutes(http: Http, context: RoutesContext): void {
	mount(http, auth.emailChange, ({ body }) => readEmailLink(context, body.token))

	mount(http, auth.agreeEmailChange, async ({ body, request }) => {
		const whose = await agreeEmailChange(context.db, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'email-change.confirmed', ...whose })
		return { message: 'Thank you. The new address is confirmed.' }
	})

	mount(http, auth.undoEmailChange, async ({ body, request }) => {
		const { revoked, remaining, ...whose } = await undoEmailChange(context, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'email-change.undone', ...whose })
		return { message: 'The change is undone, and everybody is signed out of your account.', revoked, remaining }
	})
}

function secondFactorRoutes(http: Http, context: RoutesContext): void {
	const factors = {
		...context,
		passwordBackoff: createBackoff(5),
		codeBackoff: createBackoff(5, { maxWaitMs: MAX_CODE_WAIT_MS }),
	}

	mount(http, auth.secondStep, async ({ body, request }) => {
		const userAgent = request.headers['user-agent'] ?? ''
		const onFailed = (userId: number) => securityLog(request, { event: 'second-factor.failed', userId })
		const opened = await takeSecondStep({ ...factors, onFailed }, { ...body, userAgent, ip: addressOf(request) })
		const { member, token, recoveryCodesLeft } = opened
		const whose = { userId: member.id, account: member.accountId }
		if (recoveryCodesLeft !== null) securityLog(request, { event: 'recovery-code.used', ...whose })
		securityLog(request, { event: 'sign-in.succeeded', ...whose })
		const user = presentMember(member, await getShownBalance(context.db, member, context.balances))
		return { token, user, message: 'Login successful!', recoveryCodesLeft }
	})

	mount(http, auth.secondFactor, ({ session }) => readSecondFactor(factors, session))

	mount(http, auth.startSecondFactor, ({ session, body }) => startSecondFactor(factors, session, body.currentPassword))

	mount(http, auth.confirmSecondFactor, async ({ session, body, request }) => {
		const caller = { ...session, ip: addressOf(request) }
		const recoveryCodes = await confirmSecondFactor(factors, caller, body.code)
		securityLog(request, { event: 'second-factor.added' })
		return { message: 'Two-step login is on', recoveryCodes }
	})

	mount(http, auth.removeSecondFactor, async ({ session, body, request }) => {
		await removeSecondFactor(factors, { ...session, ip: addressOf(request) }, body)
		securityLog(request, { event: 'second-factor.removed' })
		return { message: 'Two-step login is off' }
	})
}

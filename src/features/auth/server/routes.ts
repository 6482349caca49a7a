import { transaction } from '#lib/server/db.ts'
import { addressOf, mount, type Http } from '#lib/server/http.ts'
import type { Jobs } from '#lib/server/jobs.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { securityLog } from '#lib/server/security-log.ts'
import { auth } from '../contract.ts'
import { listActivity } from './activity.ts'
import { countAdminActions, listAdminActions } from './audit-queries.ts'
import { createBackoff } from './backoff.ts'
import { agreeEmailChange, readEmailLink, undoEmailChange } from './email-change-service.ts'
import { createFailureLimit } from './failure-limit.ts'
import { forgotPassword, resetPassword } from './password-service.ts'
import { presentAdminAction, presentMember, presentSession } from './present.ts'
import { actorOf, createUser, type AccountContext } from './service.ts'
import { listSessions } from './session-queries.ts'
import { endSessions, login, logout, type FailedSignIn } from './sessions.ts'

interface AuthContext extends AccountContext {
	jobs: Jobs
	env: { SESSION_IDLE_HOURS: number }
}

export function authRoutes(http: Http, context: AuthContext): void {
	const { db, env } = context
	const guard = {
		// Enough typing errors for an office behind one address, too few for guessing.
		failures: createFailureLimit({ maxFailures: 20, maxInFlight: 50 }),
		byAddress: createBackoff(5),
		byAccount: createBackoff(50),
	}

	mount(http, auth.login, async ({ body, request }) => {
		const userAgent = request.headers['user-agent'] ?? ''
		const onFailed = (failed: FailedSignIn) => securityLog(request, { event: 'sign-in.failed', ...failed })
		const opened = await login({ db, guard, onFailed }, { ...body, userAgent, ip: addressOf(request) })
		securityLog(request, { event: 'sign-in.succeeded', userId: opened.member.id, account: opened.member.ownerId })
		const user = presentMember(opened.member, opened.balancePaise)
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

	mount(http, auth.activity, async ({ session }) => ({ activity: await listActivity(db, session) }))

	mount(http, auth.createUser, async (call) => {
		const member = await createUser(context, call.body, actorOf(call))
		return { message: 'User created successfully', user: presentMember(member, 0) }
	})

	mount(http, auth.adminActions, async ({ query }) => {
		const [rows, total] = await Promise.all([listAdminActions(db, query), countAdminActions(db, query.search)])
		return {
			actions: rows.map(presentAdminAction),
			page: query.page,
			pages: pagesFor(total, query.limit),
			total,
		}
	})

	forgottenPasswordRoutes(http, context)
	emailChangeRoutes(http, context)
}

function forgottenPasswordRoutes(http: Http, { db, jobs }: AccountContext & { jobs: Jobs }): void {
	const backoff = createBackoff(5)

	mount(http, auth.forgot, async ({ body, request }) => {
		await forgotPassword({ db, jobs, backoff }, { email: body.email, ip: addressOf(request) })
		securityLog(request, { event: 'password-reset.asked', email: body.email })
		return { message: 'If this email address has an account, we have sent it a link to reset the password.' }
	})

	mount(http, auth.resetPassword, async ({ body, request }) => {
		const { id, ownerId } = await resetPassword(db, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'password-reset.done', userId: id, account: ownerId })
		return { message: 'Your password has been reset. Please log in with the new one.' }
	})
}

function emailChangeRoutes(http: Http, { db }: AccountContext): void {
	mount(http, auth.emailChange, ({ body }) => readEmailLink(db, body.token))

	mount(http, auth.agreeEmailChange, async ({ body, request }) => {
		const whose = await agreeEmailChange(db, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'email-change.confirmed', ...whose })
		return { message: 'Thank you. The new address is confirmed.' }
	})

	mount(http, auth.undoEmailChange, async ({ body, request }) => {
		const whose = await undoEmailChange(db, { ...body, ip: addressOf(request) })
		securityLog(request, { event: 'email-change.undone', ...whose })
		return { message: 'The change is undone, and everybody is signed out of your account.' }
	})
}

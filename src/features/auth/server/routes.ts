import { rupeesFromPaise } from '#lib/money.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { auth, type SessionUser } from '../contract.ts'
import { createBackoff } from './backoff.ts'
import { createUser, type AccountContext, type Member } from './service.ts'
import { login, logout } from './sessions.ts'

export function authRoutes(http: Http, context: AccountContext): void {
	const { db } = context
	const guard = { nearby: createBackoff(5), everywhere: createBackoff(50) }

	mount(http, auth.login, async ({ body, request }) => {
		const userAgent = request.headers['user-agent'] ?? ''
		const opened = await login({ db, guard }, { ...body, userAgent, ip: request.ip })
		const user = present(opened.member, opened.balancePaise)
		return { token: opened.token, user, message: 'Login successful!' }
	})

	mount(http, auth.logout, async ({ session }) => {
		await logout(db, session)
		return { message: 'Logged out successfully' }
	})

	mount(http, auth.createUser, async ({ body }) => {
		const member = await createUser(context, body)
		return { message: 'User created successfully', user: present(member, 0) }
	})
}

function present(member: Member, balancePaise: number): SessionUser {
	const { name, email, role, isActive } = member
	const id = String(member.id)
	return { _id: id, id, name, email, role, isActive, walletBalance: rupeesFromPaise(balancePaise) }
}

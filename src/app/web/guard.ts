import type { SessionUser } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { currentUser } from '#features/auth/web/parts.tsx'
import { chatPaths } from '#features/chats/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { admits, type Access } from '#lib/endpoint.ts'
import { appConfig } from '#lib/web/app-config.ts'

type Who = Pick<SessionUser, 'role' | 'seat'>

function homeOf(user: Who): string {
	if (user.role === 'admin') return dashboardPaths.admin
	return admits('manager', user) ? dashboardPaths.user : chatPaths.live
}

/**
 * Returns a guard that admits persons with this access. Redirects a guest to sign-in and afterwards back to the requested
 * URL.
 */
export function only(access: Access) {
	return (url: URL): string | null => {
		const user = currentUser()
		if (user && admits(access, user)) return null
		// With another role or seat, /login redirects to the user's own first screen; a `next` back to here would loop.
		return user ? authPaths.login : loginFor(url)
	}
}

export function loginFor({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
	return pathname === '/' ? authPaths.login : `${authPaths.login}?next=${encodeURIComponent(pathname + search)}`
}

/** Redirects signed-in users to their first screen, for sign-in and forgotten password. */
export function guestsOnly(): string | null {
	const user = currentUser()
	return user ? homeOf(user) : null
}

/** Redirects `/` to the user's dashboard, or for guests to the page that the operator chose. */
export function landing(): string | null {
	return guestsOnly() ?? (appConfig.landing === 'redirect' ? authPaths.login : null)
}

/** Returns the URL after sign-in: `next` when this role may open it, otherwise the first screen. */
export function afterSignIn(user: Who, next: string | null): string {
	if (!next || !/^\/(?![/\\])/.test(next)) return homeOf(user)
	const path = next.split(/[?#]/)[0] ?? ''
	const isAdminPlace = path.startsWith('/admin/')
	const isCommonPlace = path === userPaths.profile || path === userPaths.settings
	return isCommonPlace || isAdminPlace === (user.role === 'admin') ? next : homeOf(user)
}

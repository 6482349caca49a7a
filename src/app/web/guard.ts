import type { Role } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { currentUser } from '#features/auth/web/parts.tsx'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'

function homeOf(role: Role): string {
	return role === 'admin' ? dashboardPaths.admin : dashboardPaths.user
}

/**
 * Returns a guard that admits these roles only. Redirects a guest to sign-in and afterwards back to the requested URL.
 */
export function only(...roles: Role[]) {
	return (url: URL): string | null => {
		const user = currentUser()
		if (user && roles.includes(user.role)) return null
		// With the wrong role, /login redirects to the user's own dashboard; a `next` back to here would loop.
		return user ? authPaths.login : loginFor(url)
	}
}

export function loginFor({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
	return pathname === '/' ? authPaths.login : `${authPaths.login}?next=${encodeURIComponent(pathname + search)}`
}

/** Redirects signed-in users to their dashboard, for sign-in and forgotten password. */
export function guestsOnly(): string | null {
	const user = currentUser()
	return user ? homeOf(user.role) : null
}

/** Redirects `/` to the user's dashboard, or for guests to the page that the operator chose. */
export function landing(): string | null {
	return guestsOnly() ?? (appConfig.landing === 'redirect' ? authPaths.login : null)
}

/** Returns the URL after sign-in: `next` when this role may open it, otherwise the dashboard. */
export function afterSignIn(role: Role, next: string | null): string {
	if (!next || !/^\/(?![/\\])/.test(next)) return homeOf(role)
	const path = next.split(/[?#]/)[0] ?? ''
	const isAdminPlace = path.startsWith('/admin/')
	const isCommonPlace = path === userPaths.profile || path === userPaths.settings
	return isCommonPlace || isAdminPlace === (role === 'admin') ? next : homeOf(role)
}

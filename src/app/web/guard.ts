import { redirect, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { Role } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { currentUser } from '#features/auth/web/parts.tsx'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'

function homeOf(role: Role): string {
	return role === 'admin' ? dashboardPaths.admin : dashboardPaths.user
}

/** Admits these roles only. A guest is redirected to sign-in and afterwards back to the requested address. */
export function only(...roles: Role[]) {
	return ({ request }: LoaderFunctionArgs) => {
		const user = currentUser()
		if (user && roles.includes(user.role)) return null
		// With the wrong role, /login redirects to the person's own dashboard; a `next` back to here would loop.
		return redirect(user ? authPaths.login : loginFor(new URL(request.url)))
	}
}

/** Whether guards run again: only for another screen, so that a change of filters is shown without delay. */
export function isAnotherScreen({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
	return currentUrl.pathname !== nextUrl.pathname
}

export function loginFor({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
	return pathname === '/' ? authPaths.login : `${authPaths.login}?next=${encodeURIComponent(pathname + search)}`
}

/** For sign-in and forgotten password: redirects signed-in users to their dashboard. */
export function guestsOnly() {
	const user = currentUser()
	if (user) return redirect(homeOf(user.role))
	return null
}

/** For `/`: the user's dashboard, or for guests the page that the operator has chosen. */
export function landing() {
	const user = currentUser()
	if (user) return redirect(homeOf(user.role))
	if (appConfig.landing === 'redirect') return redirect(authPaths.login)
	return null
}

/** Where to go after signing in: back to `next` when it is a place inside for this role, else home. */
export function afterSignIn(role: Role, next: string | null): string {
	if (!next || !/^\/(?![/\\])/.test(next)) return homeOf(role)
	const path = next.split(/[?#]/)[0] ?? ''
	const isAdminPlace = path.startsWith('/admin/')
	const isCommonPlace = path === userPaths.profile
	return isCommonPlace || isAdminPlace === (role === 'admin') ? next : homeOf(role)
}

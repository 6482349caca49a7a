import { authPaths } from '#features/auth/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import type { Access } from '#lib/endpoint.ts'
import { createRouter, type Route, type Router } from '#lib/web/router/router.ts'
import { loadLateStyles } from '#lib/web/ui/late-styles.ts'
import { afterSignIn, guestsOnly, landing, only } from './guard.ts'
import {
	adminScreens,
	commonScreens,
	readLayout,
	readLogin,
	needsLateStyles,
	userScreens,
	type ReadScreen,
} from './screens.ts'
import { PlainPage } from './screens/plain-page.tsx'
import { leastSeatOf } from './seats.ts'

let created: Router | undefined

/** Returns the router. The first call creates it, which starts loading the first screen. */
export const appRouter = (): Router => (created ??= createRouter(ROUTES.map(styled)))

const plain = { frame: async () => PlainPage }

const ROUTES: Route[] = [
	{ path: '/', guard: landing, screen: async () => (await import('./screens/landing-page.tsx')).LandingPage },
	{ ...plain, path: authPaths.login, guard: guestsOnly, screen: readSignIn },
	{
		...plain,
		path: authPaths.forgot,
		guard: guestsOnly,
		screen: async () => (await import('#features/auth/web/forgot.tsx')).Forgot,
	},
	// Open to signed-in users too: a user who forgot a password may still be signed in here.
	{
		...plain,
		path: authPaths.reset,
		screen: async () => (await import('#features/auth/web/reset-password.tsx')).ResetPassword,
	},
	{
		...plain,
		path: authPaths.secondFactor,
		guard: only('signed-in'),
		screen: async () =>
			(await import('#features/auth/web/second-factor/required-second-factor.tsx')).RequiredSecondFactor,
	},
	{
		...plain,
		path: `${authPaths.emailChange}/:wanted`,
		screen: async () => (await import('#features/auth/web/email-change.tsx')).EmailChange,
	},
	...screensFor(() => 'admin', adminScreens),
	...screensFor(leastSeatOf, userScreens),
	...screensFor(() => 'signed-in', commonScreens),
	{ path: developerPaths.docs, screen: async () => (await import('./screens/api-docs-screen.tsx')).ApiDocsScreen },
	{ path: '*', screen: async () => (await import('./screens/not-found.tsx')).NotFound },
]

/** Returns the route with a screen that is shown once its styles have loaded. */
function styled(route: Route): Route {
	if (!needsLateStyles(route.path)) return route
	return { ...route, screen: async () => (await Promise.all([route.screen(), loadLateStyles()]))[0] }
}

async function readSignIn() {
	const Login = await readLogin()
	return () => <Login destination={afterSignIn} />
}

function screensFor(accessOf: (path: string) => Access, screens: Record<string, ReadScreen>): Route[] {
	return Object.entries(screens).map(([path, screen]) => ({
		path,
		guard: only(accessOf(path)),
		frame: readLayout,
		screen,
	}))
}

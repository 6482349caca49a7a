import { createBrowserRouter, Outlet, type RouteObject } from 'react-router'
import { authPaths } from '#features/auth/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { afterSignIn, guestsOnly, isAnotherScreen, landing, only } from './guard.ts'
import { adminScreens, commonScreens, readLayout, readLogin, userScreens, type ReadScreen } from './screens.ts'
import { PlainPage } from './screens/plain-page.tsx'
import { ScreenError } from './screens/screen-error.tsx'

const plainPage = (
	<PlainPage>
		<Outlet />
	</PlainPage>
)

let created: ReturnType<typeof createBrowserRouter> | undefined

/** Returns the router. The first call creates it, which starts loading the first screen. */
export const appRouter = () => (created ??= createBrowserRouter(ROUTES))

const ROUTES: RouteObject[] = [
	{
		errorElement: <ScreenError />,
		children: [
			{ ...screen('/', async () => (await import('./screens/landing-page.tsx')).LandingPage), loader: landing },
			{
				element: plainPage,
				loader: guestsOnly,
				children: [
					{
						path: authPaths.login,
						lazy: async () => {
							const Login = await readLogin()
							return { element: <Login destination={afterSignIn} /> }
						},
					},
					screen(authPaths.forgot, async () => (await import('#features/auth/web/forgot.tsx')).Forgot),
				],
			},
			{
				element: plainPage,
				// Open to signed-in users too: a user who forgot a password may still be signed in here.
				children: [
					screen(authPaths.reset, async () => (await import('#features/auth/web/reset-password.tsx')).ResetPassword),
					{
						...screen(
							authPaths.secondFactor,
							async () =>
								(await import('#features/auth/web/second-factor/required-second-factor.tsx')).RequiredSecondFactor,
						),
						loader: only('admin', 'user'),
					},
					screen(
						`${authPaths.emailChange}/:wanted`,
						async () => (await import('#features/auth/web/email-change.tsx')).EmailChange,
					),
				],
			},
			{
				lazy: async () => ({ Component: await readLayout() }),
				children: [
					screensFor(['admin'], adminScreens),
					screensFor(['user'], userScreens),
					screensFor(['admin', 'user'], commonScreens),
				],
			},
			screen(developerPaths.docs, async () => (await import('./screens/api-docs-screen.tsx')).ApiDocsScreen),
			screen('*', async () => (await import('./screens/not-found.tsx')).NotFound),
		],
	},
]

function screensFor(roles: Parameters<typeof only>, screens: Record<string, ReadScreen>): RouteObject {
	return {
		loader: only(...roles),
		errorElement: <ScreenError />,
		shouldRevalidate: isAnotherScreen,
		children: Object.entries(screens).map(([path, read]) => screen(path, read)),
	}
}

function screen(path: string, read: ReadScreen): RouteObject {
	return { path, lazy: async () => ({ Component: await read() }) }
}

import './theme/mantine.css'
import { MantineProvider } from '@mantine/core'
import '#lib/web/ui/base.css'
import './app.css'
import './theme/forced-colors.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { authPaths } from '#features/auth/paths.ts'
import { currentUser } from '#features/auth/web/parts.tsx'
import { formatDateTime } from '#lib/dates.ts'
import { watchNetwork } from '#lib/web/connection.ts'
import { queryClient } from '#lib/web/query.ts'
import { type Departure, onExpired, onOtherTab } from '#lib/web/session.ts'
import { toast } from '#lib/web/toast.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { loginFor } from './guard.ts'
import { appRouter } from './routes.tsx'
import { colorSchemeManager, cssVariablesResolver, theme } from './theme/theme.ts'

/** Without its styles the page can still be used. */
const MAX_STYLES_MS = 15_000

const ToastArea = latePart(() => import('./toast-area.tsx').then((module) => module.ToastArea))

// The policy of the page forbids eval, and zod compiles its shapes with it unless configured not to.
z.config({ jitless: true })

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

async function leave(reason: Departure) {
	if (location.pathname === authPaths.login) return
	await appRouter().navigate(loginFor(location), { replace: true, state: { reason } })
	queryClient.clear()
}

preparePrinting()
onExpired(() => void leave('ended'))

// Signing out in one tab signs out in all of them.
onOtherTab((what) => {
	// A logout reaches the local storage of all tabs, and the session storage of its own alone.
	if (what === 'left') sessionStorage.clear()
	if (what !== 'replaced') void leave(what)
	else if (location.pathname !== authPaths.login) startAnew()
})

const REPLACED = 'session-replaced'

/** Nothing of the person before may stay in memory. */
function startAnew() {
	sessionStorage.clear()
	sessionStorage.setItem(REPLACED, 'true')
	location.replace('/')
}

if (sessionStorage.getItem(REPLACED)) {
	sessionStorage.removeItem(REPLACED)
	toast.success(
		`${currentUser()?.name ?? 'Somebody else'} has signed in in another tab, so this tab shows their account.`,
	)
}

watchNetwork()
startServiceWorker()
// Apart from the evaluation of the scripts: between the two a slow phone can answer a finger.
setTimeout(() => {
	// In pieces of a few milliseconds, for the same reason.
	void Promise.all([isRouted(), ...stylesheets()]).then(() =>
		startTransition(() => createRoot(document.getElementById('root') ?? document.body).render(<App />)),
	)
})

function App() {
	return (
		<StrictMode>
			<MantineProvider
				theme={theme}
				cssVariablesResolver={cssVariablesResolver}
				colorSchemeManager={colorSchemeManager}
				defaultColorScheme="auto"
				getStyleNonce={() => nonce}
				// The stylesheet does not hold the variables of the theme that Mantine comes with.
				deduplicateCssVariables={false}
			>
				<QueryClientProvider client={queryClient}>
					<ToastArea />
					<RouterProvider router={appRouter()} />
				</QueryClientProvider>
			</MantineProvider>
		</StrictMode>
	)
}

/** Switches on the stylesheets of the page, which wait so that what index.html holds is painted before they are there. */
function stylesheets(): Promise<unknown>[] {
	return Array.from(document.querySelectorAll<HTMLLinkElement>('link[media="not all"]'), (link) => {
		link.media = 'all'
		if (link.sheet) return Promise.resolve()
		// One that has failed already says so no more.
		return Promise.race([once(link, 'load'), once(link, 'error'), pause(MAX_STYLES_MS)])
	})
}

function pause(ms: number): Promise<unknown> {
	return new Promise((resolve) => setTimeout(resolve, ms))
}

function once(element: HTMLElement, event: string): Promise<unknown> {
	return new Promise((resolve) => element.addEventListener(event, resolve, { once: true }))
}

/** Serves a page of our own without a network, and notifications; without it the app is whole all the same. */
function startServiceWorker(): void {
	const { serviceWorker } = navigator
	// Only where there is TLS, and not where the browser forbids it.
	if (!serviceWorker) return
	// A notification that was clicked.
	serviceWorker.addEventListener(
		'message',
		({ data }: MessageEvent<{ link: string }>) => void appRouter().navigate(data.link),
	)
	window.addEventListener('load', () => void serviceWorker.register('/sw.js').catch(() => {}))
}

/** Until the code of the first screen is there, or has failed, what index.html holds stays: nothing flashes. */
function isRouted(): Promise<void> {
	const router = appRouter()
	return new Promise((resolve) => {
		if (router.state.initialized) return resolve()
		const unsubscribe = router.subscribe(({ initialized }) => {
			if (!initialized) return
			unsubscribe()
			resolve()
		})
	})
}

const SCHEME = 'data-mantine-color-scheme'

/** Before the browser prints: light colours, and the line that print.css puts above the page. Afterwards all is as it was. */
function preparePrinting(): void {
	const { documentElement: root, body } = document
	// Not needed for anything on the screen.
	void import('./print.css')
	let scheme: string | null = null
	window.addEventListener('beforeprint', () => {
		scheme ??= root.getAttribute(SCHEME)
		root.setAttribute(SCHEME, 'light')
		body.dataset['printed'] = `${document.title}, printed on ${formatDateTime(new Date().toISOString())}`
	})
	window.addEventListener('afterprint', () => {
		if (scheme) root.setAttribute(SCHEME, scheme)
		scheme = null
		delete body.dataset['printed']
	})
}

import './theme/mantine.css'
import { MantineProvider } from '@mantine/core'
import '#lib/web/ui/base.css'
import './app.css'
import './theme/forced-colors.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { authPaths } from '#features/auth/paths.ts'
import { currentUser } from '#features/auth/web/parts.tsx'
import { formatDateTime } from '#lib/dates.ts'
import { watchNetwork } from '#lib/web/connection.ts'
import { queryClient } from '#lib/web/query.ts'
import { RouterView } from '#lib/web/router/router-view.tsx'
import { type Departure, onExpired, onOtherTab } from '#lib/web/session.ts'
import { dismissToasts, toast } from '#lib/web/toast.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { loginFor } from './guard.ts'
import { appRouter } from './routes.tsx'
import { ScreenError } from './screens/screen-error.tsx'
import { colorSchemeManager, cssVariablesResolver, theme } from './theme/theme.ts'

/** Longest wait for styles in milliseconds; the page is usable without them. */
const MAX_STYLES_MS = 15_000

const ToastArea = latePart(() => import('./toast-area.tsx').then((module) => module.ToastArea))

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

async function leave(reason: Departure) {
	if (location.pathname === authPaths.login) return
	await appRouter().navigate(loginFor(location), { replace: true, state: { reason }, flushSync: true })
	// Clears the data after the navigation: the screen that was left would fetch it again.
	queryClient.clear()
	// A session that ended tells its cause in a toast.
	if (reason === 'left') dismissToasts()
}

preparePrinting()
onExpired(() => void leave('ended'))

// A sign-out in one tab signs out all tabs.
onOtherTab((what) => {
	// A sign-out clears the local storage of all tabs, but the session storage of its own tab only.
	if (what === 'left') sessionStorage.clear()
	if (what !== 'replaced') void leave(what)
	else if (location.pathname !== authPaths.login) startAnew()
})

const REPLACED = 'session-replaced'

/** Reloads, so that no data of the previous user stays in memory. */
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
// Separate from the evaluation of the scripts: between both, a slow phone can react to touch.
setTimeout(() => {
	// Until the first screen's code has loaded, the content of index.html stays, so that nothing flashes. Renders in slices
	// of a few milliseconds, so that a slow phone can react to touch.
	void Promise.all([appRouter().ready, ...stylesheets()]).then(() =>
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
				// The stylesheet does not contain Mantine's default theme variables.
				deduplicateCssVariables={false}
			>
				<QueryClientProvider client={queryClient}>
					<ToastArea />
					<RouterView router={appRouter()} failure={<ScreenError />} />
				</QueryClientProvider>
			</MantineProvider>
		</StrictMode>
	)
}

/**
 * Activates the page's stylesheets, which are inactive at first so that the content of index.html paints before they
 * load.
 */
function stylesheets(): Promise<unknown>[] {
	return Array.from(document.querySelectorAll<HTMLLinkElement>('link[media="not all"]'), (link) => {
		link.media = 'all'
		if (link.sheet) return Promise.resolve()
		// A stylesheet that has already failed sends no further event.
		return Promise.race([once(link, 'load'), once(link, 'error'), pause(MAX_STYLES_MS)])
	})
}

function pause(ms: number): Promise<unknown> {
	return new Promise((resolve) => setTimeout(resolve, ms))
}

function once(element: HTMLElement, event: string): Promise<unknown> {
	return new Promise((resolve) => element.addEventListener(event, resolve, { once: true }))
}

/** Registers the service worker, for the offline page and notifications. The app works without it. */
function startServiceWorker(): void {
	const { serviceWorker } = navigator
	// Undefined without TLS, or when the browser forbids it.
	if (!serviceWorker) return
	// Opens the URL of a clicked notification.
	serviceWorker.addEventListener(
		'message',
		({ data }: MessageEvent<{ link: string }>) => void appRouter().navigate(data.link),
	)
	window.addEventListener('load', () => void serviceWorker.register('/sw.js').catch(() => {}))
}

const SCHEME = 'data-mantine-color-scheme'

/** Switches to light colours and fills in the line of print.css before printing, and restores both afterwards. */
function preparePrinting(): void {
	const { documentElement: root, body } = document
	// The styles for print load late, because the screen does not need them.
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

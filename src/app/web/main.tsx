import '@mantine/core/styles.css'
import { MantineProvider } from '@mantine/core'
import '#lib/web/ui/base.css'
import './app.css'
import './theme/forced-colors.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { authPaths } from '#features/auth/paths.ts'
import { queryClient } from '#lib/web/query.ts'
import { onExpired, readToken } from '#lib/web/session.ts'
import { loginFor } from './guard.ts'
import { preparePrinting } from './printing.ts'
import { router } from './routes.tsx'
import { colorSchemeManager, cssVariablesResolver, theme } from './theme/theme.ts'

const ToastArea = lazy(() => import('./toast-area.tsx').then((module) => ({ default: module.ToastArea })))

// The policy of the page forbids eval, and zod compiles its shapes with it unless configured not to.
z.config({ jitless: true })

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

async function leave() {
	if (location.pathname === authPaths.login) return
	await router.navigate(loginFor(location), { replace: true })
	queryClient.clear()
}

onExpired(() => void leave())
preparePrinting()

// Signing out in one tab signs out in all of them.
window.addEventListener('storage', ({ key }) => {
	if ((key === null || key === 'token') && !readToken()) void leave()
})

createRoot(document.getElementById('root') ?? document.body).render(
	<StrictMode>
		<MantineProvider
			theme={theme}
			cssVariablesResolver={cssVariablesResolver}
			colorSchemeManager={colorSchemeManager}
			defaultColorScheme="auto"
			getStyleNonce={() => nonce}
		>
			<QueryClientProvider client={queryClient}>
				<Suspense>
					<ToastArea />
				</Suspense>
				<RouterProvider router={router} />
			</QueryClientProvider>
		</MantineProvider>
	</StrictMode>,
)

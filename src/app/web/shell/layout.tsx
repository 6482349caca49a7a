import { Box } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useConnection } from '#lib/web/connection.ts'
import { useLocation } from '#lib/web/router/hooks.ts'
import { useIsLoading } from '#lib/web/router/router-view.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Header } from './header/header.tsx'
import { Sidebar } from './menu/sidebar.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLiveUpdates } from './use-live-updates.ts'
import styles from './layout.module.css'

// Loaded late, since the first paint does not need it.
const MenuDrawer = latePart(() => import('./menu/menu-drawer.tsx').then((module) => module.MenuDrawer))

/** Renders sidebar, header and the screen between them. The sidebar is a drawer below 1024 pixels. */
export function Layout({ children }: { children: ReactNode }) {
	const isWide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
	const [drawer, { open, close }] = useDisclosure(false)
	const main = useFocusOnNavigation()
	const isSlow = useDelayed(useIsLoading())
	useLiveUpdates()
	useKeptFocus()

	return (
		<Box mih="100dvh">
			<a className={styles.skip} href="#main">
				Skip to the content
			</a>
			{isSlow && <div className={styles.progress} role="status" aria-label="Loading the page" />}
			{isWide ? (
				<aside className={styles.aside}>
					<Sidebar />
				</aside>
			) : (
				<MenuDrawer opened={drawer} onClose={close} />
			)}
			<div className={styles.column}>
				<Header onMenu={isWide ? undefined : open} />
				<ConnectionBanner />
				<main className={styles.main} id="main" ref={main} tabIndex={-1}>
					{children}
				</main>
			</div>
		</Box>
	)
}

/** Focuses the new screen after navigation, so that a screen reader reads it and Tab continues inside it. */
function useFocusOnNavigation() {
	const main = useRef<HTMLElement>(null)
	const { pathname } = useLocation()
	const shown = useRef(pathname)
	useEffect(() => {
		if (shown.current === pathname) return
		shown.current = pathname
		main.current?.focus({ preventScroll: true })
	}, [pathname])
	return main
}

const TEXTS = {
	offline: 'You are offline. What you see may be out of date.',
	unreachable: 'The server cannot be reached. Trying again…',
}

/** Renders a banner under the header while the server or network is unreachable. */
function ConnectionBanner() {
	const connection = useConnection()
	return (
		<div className={styles.connection} role="status">
			{connection !== 'online' && (
				<p className={styles.banner}>
					<IconCloudOff size={18} aria-hidden /> {TEXTS[connection]}
				</p>
			)}
		</div>
	)
}

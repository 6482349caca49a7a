import { Box } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation, type Location } from 'react-router'
import { appConfig } from '#lib/web/app-config.ts'
import { useConnection } from '#lib/web/connection.ts'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Header } from './header/header.tsx'
import { Sidebar } from './menu/sidebar.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLiveUpdates } from './use-live-updates.ts'
import styles from './layout.module.css'

// Loaded late, since the first paint does not need them.
const Notices = latePart(() => import('./notices/notices.tsx').then((module) => module.Notices))
const MenuDrawer = latePart(() => import('./menu/menu-drawer.tsx').then((module) => module.MenuDrawer))

/** Renders sidebar, header and the screen between them. The sidebar is a drawer below 1024 pixels. */
export function Layout() {
	const isWide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
	const [drawer, { open, close }] = useDisclosure(false)
	const main = useFocusOnNavigation()
	const isSlow = useDelayed(useNavigation().state === 'loading')
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
				<Notices />
				{appConfig.simulator && (
					<p className={styles.banner}>
						Demo: nothing is sent to WhatsApp.{' '}
						{appConfig.phonesUrl && (
							<a href={appConfig.phonesUrl} target="_blank" rel="noreferrer">
								See phones
							</a>
						)}
					</p>
				)}
				<main className={styles.main} id="main" ref={main} tabIndex={-1}>
					<Outlet />
				</main>
			</div>
			<ScrollRestoration getKey={scrollKeyOf} />
		</Box>
	)
}

/**
 * Returns the key of a page's stored scroll position. All freshly loaded pages share one history key, so their URL is
 * used.
 */
function scrollKeyOf({ key, pathname, search }: Location): string {
	return key === 'default' ? pathname + search : key
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

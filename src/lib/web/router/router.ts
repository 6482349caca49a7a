import type { ComponentType, ReactNode } from 'react'
import { matchPath, type PathParams } from './match.ts'
import { addressOf, type Destination, type Place, placeOf, urlOf } from './place.ts'
import { type Browser, createTrail } from './trail.ts'

type Frame = ComponentType<{ children: ReactNode }>

/** Screen at a path. The first route whose path matches is shown. */
export interface Route {
	/** Path whose parts may be names such as `:id`; `*` matches every address. */
	path: string
	/** Returns the address to open instead, or null. Asked when the path changes, not when only the query does. */
	guard?: (url: URL) => string | null
	/** Loads the part around the screen. It stays mounted between screens with the same frame. */
	frame?: () => Promise<Frame>
	screen: () => Promise<ComponentType>
}

/** Code of a page. `Screen` is null when it could not be loaded. */
interface Parts {
	Frame: Frame | null
	Screen: ComponentType | null
}

export interface Page extends Parts {
	place: Place
	params: PathParams
	/** True when the page keeps the scroll position of the page before. */
	keepsScroll: boolean
}

export interface NavigateOptions {
	/** Replaces the current entry of the history. */
	replace?: boolean | undefined
	/** Value for the next page's `Place.state`. */
	state?: unknown
	preventScrollReset?: boolean | undefined
	/** Renders at once instead of in a transition. */
	flushSync?: boolean
}

/** State of the router. `page` is null until the first screen has loaded. */
interface Routed {
	page: Page | null
	isLoading: boolean
}

type Listener = (routed: Routed, flushSync: boolean) => void

interface Blocker {
	blocks: (from: Place, to: Place) => boolean
	/** Receives the function that continues the blocked navigation. */
	onBlocked: (proceed: () => void) => void
}

export type Router = ReturnType<typeof createRouter>

/**
 * Returns the router of the page, which opens the current address at once. A navigation first loads the code of its
 * screen, then changes the address; a later navigation supersedes one that still loads.
 */
export function createRouter(routes: readonly Route[], browser: Browser = window) {
	const listeners = new Set<Listener>()
	const blockers = new Set<Blocker>()
	const loader = createLoader()
	let routed: Routed = { page: null, isLoading: false }
	let attempts = 0
	const ready = new Promise<void>((resolve) => {
		listeners.add(({ page }) => page && resolve())
	})

	function set(next: Routed, flushSync = false) {
		routed = next
		for (const listener of listeners) listener(next, flushSync)
	}

	function isBlocked(to: Place, proceed: () => void): boolean {
		const from = routed.page?.place
		const blocker = from && [...blockers].find(({ blocks }) => blocks(from, to))
		blocker?.onBlocked(proceed)
		return blocker !== undefined
	}

	/** Opens a place. The browser has already changed the address of a `step`. */
	async function open(place: Place, kind: 'push' | 'replace' | 'step', options: NavigateOptions = {}): Promise<void> {
		const attempt = ++attempts
		const { route, params } = find(routes, place.pathname)
		const isAnother = place.pathname !== routed.page?.place.pathname
		const instead = isAnother ? route.guard?.(urlOf(addressOf(place), trail.url())) : null
		if (instead) return open(newPlace(urlOf(instead, trail.url())), kind === 'push' ? 'push' : 'replace')
		let parts = loader.loaded(route)
		if (!parts) {
			set({ ...routed, isLoading: true })
			parts = await loader.load(route)
			if (attempt !== attempts) return
		}
		if (kind !== 'step') trail.write(place, kind)
		const page = { place, params, ...parts, keepsScroll: options.preventScrollReset ?? false }
		set({ page, isLoading: false }, options.flushSync)
	}

	const trail = createTrail(browser, { isBlocked, onStep: (place) => void open(place, 'step') })
	void open(trail.place(), 'step')

	return {
		/** Resolves when the first page has loaded or failed. */
		ready,
		routed: () => routed,
		/** Opens a destination. Resolves when its page is shown, or when another navigation or a blocker has stopped it. */
		async navigate(to: Destination, options: NavigateOptions = {}): Promise<void> {
			const url = urlOf(to, trail.url())
			if (url.origin !== browser.location.origin) return browser.location.assign(url)
			const place = newPlace(url, options.state)
			const go = () => open(place, options.replace ? 'replace' : 'push', options)
			if (!isBlocked(place, () => void go())) await go()
		},
		/** Calls the listener now and after each change. Returns the function that unsubscribes. */
		subscribe(listener: Listener): () => void {
			listener(routed, false)
			listeners.add(listener)
			return () => listeners.delete(listener)
		},
		/** Asks the blocker before each navigation. Returns the function that removes it. */
		block(blocker: Blocker): () => void {
			blockers.add(blocker)
			return () => blockers.delete(blocker)
		},
	}
}

function newPlace(url: URL, state: unknown = null): Place {
	return placeOf(url, state, Math.random().toString(36).slice(2, 10))
}

function find(routes: readonly Route[], pathname: string): { route: Route; params: PathParams } {
	for (const route of routes) {
		const params = matchPath(route.path, pathname)
		if (params) return { route, params }
	}
	throw new Error(`No route matches ${pathname}: the last route needs the path *.`)
}

/**
 * Returns the loader of the routes' code. The loader keeps loaded parts. A part that failed to load is null, and is loaded
 * again at the next call.
 */
function createLoader() {
	const known = new Map<Route, Parts>()
	return {
		loaded: (route: Route) => known.get(route),
		async load(route: Route): Promise<Parts> {
			const [frame, screen] = await Promise.allSettled([route.frame?.() ?? null, route.screen()])
			if (frame.status === 'rejected') return { Frame: null, Screen: null }
			if (screen.status === 'rejected') return { Frame: frame.value, Screen: null }
			const parts = { Frame: frame.value, Screen: screen.value }
			known.set(route, parts)
			return parts
		},
	}
}

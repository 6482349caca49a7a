import { useEffect, useLayoutEffect } from 'react'
import type { Place } from './place.ts'
import type { Page } from './router.ts'

const STORAGE = 'scroll-positions'
/** Number of pages whose positions are kept; the oldest is dropped first. */
const MAX_PAGES = 200

const positions = new Map(readStored())

/** Stores the scroll position of a page, before the document shows the next one. */
export function keepScroll({ place }: Page): void {
	const key = keyOf(place)
	positions.delete(key)
	positions.set(key, window.scrollY)
	const [oldest] = positions.keys()
	if (positions.size > MAX_PAGES && oldest !== undefined) positions.delete(oldest)
}

/** Scrolls to the stored position of a page that was shown before, to the element that the fragment names, or to the top. */
export function useKeptScroll(page: Page | null): void {
	useEffect(() => {
		if (!page) return
		const takeOver = () => {
			history.scrollRestoration = 'manual'
		}
		const leave = () => {
			keepScroll(page)
			sessionStorage.setItem(STORAGE, JSON.stringify([...positions]))
			history.scrollRestoration = 'auto'
		}
		takeOver()
		window.addEventListener('pagehide', leave)
		window.addEventListener('pageshow', takeOver)
		return () => {
			window.removeEventListener('pagehide', leave)
			window.removeEventListener('pageshow', takeOver)
		}
	}, [page])
	useLayoutEffect(() => {
		if (!page) return
		const { place, keepsScroll } = page
		const kept = positions.get(keyOf(place))
		const named = place.hash && document.getElementById(place.hash.slice(1))
		if (kept !== undefined) window.scrollTo(0, kept)
		else if (named) named.scrollIntoView()
		else if (!keepsScroll) window.scrollTo(0, 0)
	}, [page])
}

/** Returns the key of a page's position. All freshly loaded pages share one history key, so their address is used. */
function keyOf({ key, pathname, search }: Place): string {
	return key === 'default' ? pathname + search : key
}

function readStored(): [string, number][] {
	try {
		return JSON.parse(sessionStorage.getItem(STORAGE) ?? '[]') as [string, number][]
	} catch {
		return []
	}
}

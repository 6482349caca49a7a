import { useCallback } from 'react'

/** A ref that keeps `--chat-top` at the element's distance from the top of the page, so that it can fill the rest of the window. */
export function useRemainingHeight() {
	return useCallback((node: HTMLElement | null) => {
		if (!node) return
		const measure = () => {
			const top = node.getBoundingClientRect().top + window.scrollY
			node.style.setProperty('--chat-top', `${Math.round(top)}px`)
		}
		measure()
		window.addEventListener('resize', measure)
		// A banner above may appear or go, which resizes `main` or its parent.
		const observer = new ResizeObserver(measure)
		const main = node.closest('main')
		for (const frame of [main, main?.parentElement]) if (frame) observer.observe(frame)
		return () => {
			window.removeEventListener('resize', measure)
			observer.disconnect()
		}
	}, [])
}

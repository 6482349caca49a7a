import { useCallback } from 'react'

/** For an element that fills the window below its own top: writes that into `--chat-top`. */
export function useRemainingHeight() {
	return useCallback((node: HTMLElement | null) => {
		if (!node) return
		const measure = () => {
			const top = node.getBoundingClientRect().top + window.scrollY
			node.style.setProperty('--chat-top', `${Math.round(top)}px`)
		}
		measure()
		window.addEventListener('resize', measure)
		// A banner above comes and goes: the screen's frame, or what holds it, then changes its height.
		const observer = new ResizeObserver(measure)
		const main = node.closest('main')
		for (const frame of [main, main?.parentElement]) if (frame) observer.observe(frame)
		return () => {
			window.removeEventListener('resize', measure)
			observer.disconnect()
		}
	}, [])
}

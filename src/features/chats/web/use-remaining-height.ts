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
		return () => window.removeEventListener('resize', measure)
	}, [])
}

import { useEffect } from 'react'

/** Longer than a dialog takes to fade out and to give the focus back. */
const RETURN_MS = 300

/** Puts the focus on the screen's h2, for when what had it has gone. */
export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>('main h2')
	if (!heading) return
	heading.tabIndex = -1
	heading.focus()
}

/** Once this is no longer shown, the screen's heading gets the focus if nothing else has it. */
export function useLostFocus(isShown = true): void {
	useEffect(() => {
		if (!isShown) return
		return () => {
			setTimeout(() => {
				const active = document.activeElement
				if (!active || active === document.body) focusHeading()
			}, RETURN_MS)
		}
	}, [isShown])
}

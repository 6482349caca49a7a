import { useEffect } from 'react'

/** Longer than a closed dialog takes to return the focus. */
const RETURN_MS = 300

/** Focuses the screen's h2: for when the focused element was removed. */
export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>('main h2')
	if (!heading) return
	heading.tabIndex = -1
	heading.focus()
}

/** Calls `pass` if nothing has the focus: at once, or after the dialog or menu that still has it has faded out. */
export function passLostFocus(pass: () => void): void {
	const overlay = document.activeElement?.closest('[role=dialog], [role=menu]')
	if (!overlay) {
		if (isFocusLost()) pass()
		return
	}
	const observer = new MutationObserver(() => {
		if (overlay.isConnected) return
		observer.disconnect()
		if (isFocusLost()) pass()
	})
	observer.observe(document.body, { childList: true, subtree: true })
}

function isFocusLost(): boolean {
	return !document.activeElement || document.activeElement === document.body
}

let check: ReturnType<typeof setTimeout> | undefined

/** Once the component is no longer shown, the screen's heading gets the focus if nothing else has it. */
export function useLostFocus(): void {
	useEffect(() => {
		// The new component takes over from the one before it.
		clearTimeout(check)
		return () => {
			clearTimeout(check)
			check = setTimeout(() => {
				if (isFocusLost()) focusHeading()
			}, RETURN_MS)
		}
	}, [])
}

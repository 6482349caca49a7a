import { useEffect } from 'react'

/** Longer than a dialog that has gone takes to give the focus back. */
const RETURN_MS = 300

/** Puts the focus on the screen's h2, for when what had it has gone. */
export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>('main h2')
	if (!heading) return
	heading.tabIndex = -1
	heading.focus()
}

/** Calls `pass` if nothing has the focus: now, or once the dialog or menu that has it, and may still fade out, has gone. */
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
		// What is shown now answers for the focus in place of what went before.
		clearTimeout(check)
		return () => {
			clearTimeout(check)
			check = setTimeout(() => {
				if (isFocusLost()) focusHeading()
			}, RETURN_MS)
		}
	}, [])
}

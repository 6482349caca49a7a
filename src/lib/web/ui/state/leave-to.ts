let isLeaving = false

/**
 * Opens a page of another site in this tab. Resolves when the browser's Back button shows this page again as it was; otherwise
 * the page ends.
 */
export function leaveTo(url: string): Promise<void> {
	isLeaving = true
	location.assign(url)
	return new Promise((resolve) => {
		const onShow = ({ persisted }: PageTransitionEvent) => {
			if (!persisted) return
			isLeaving = false
			window.removeEventListener('pageshow', onShow)
			resolve()
		}
		window.addEventListener('pageshow', onShow)
	})
}

/** Returns true after `leaveTo`, when a form whose draft is stored needs no question by the browser. */
export const isLeavingOnPurpose = () => isLeaving

const ROW = '[data-row]'
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), select'

/** The row, of a table or of cards, that contains an element. */
export function rowOf(element: Element): HTMLElement | null {
	return element.closest<HTMLElement>(ROW)
}

export function rowsIn(container: Element): HTMLElement[] {
	return [...container.querySelectorAll<HTMLElement>(ROW)]
}

/** What can have the focus, in the order of Tab. */
export function controlsIn(container: Element): HTMLElement[] {
	return [...container.querySelectorAll<HTMLElement>(CONTROLS)]
}

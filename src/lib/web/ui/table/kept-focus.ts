/** Where the focus is in a table, in words that hold in each of its forms. */
export interface FocusPlace {
	/** Counted from 0; below 0 above the rows or between them. */
	row: number
	/** What the element that has it is called. */
	name: string
}

const CONTROLS = 'a[href], button, input, select'

/** Null when the focus is elsewhere. */
export function findFocus(frame: HTMLElement): FocusPlace | null {
	const active = document.activeElement
	if (!active || !frame.contains(active)) return null
	const row = active.closest<HTMLElement>('[data-row]')
	return { row: row ? rowsOf(frame).indexOf(row) : -1, name: nameOf(active) }
}

/** Where the element that had the focus has gone with the former form: the same of the new one, or the nearest to it. */
export function returnFocus(frame: HTMLElement, { row, name }: FocusPlace): void {
	const active = document.activeElement
	if (active && active !== document.body) return
	const controls = [...(rowsOf(frame)[row] ?? frame).querySelectorAll<HTMLElement>(CONTROLS)]
	const same = controls.find((control) => nameOf(control) === name)
	const found = same ?? controls.find((control) => control.matches('[aria-haspopup], select')) ?? controls[0]
	found?.focus({ preventScroll: true })
}

function rowsOf(frame: HTMLElement): HTMLElement[] {
	return [...frame.querySelectorAll<HTMLElement>('[data-row]')]
}

function nameOf(element: Element): string {
	return element.ariaLabel ?? element.textContent
}

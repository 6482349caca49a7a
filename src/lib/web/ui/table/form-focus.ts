import { controlsIn, rowOf, rowsIn } from './row-controls.ts'

/** Where the focus is in a table, described so that it can be found in each of the table's forms. */
export interface FocusPlace {
	/** Counted from 0; below 0 above the rows or between them. */
	row: number
	/** The accessible name of the focused element. */
	name: string
}

/** Null when the focus is elsewhere. */
export function findFocus(frame: HTMLElement): FocusPlace | null {
	const active = document.activeElement
	if (!active || !frame.contains(active)) return null
	const row = rowOf(active)
	return { row: row ? rowsIn(frame).indexOf(row) : -1, name: nameOf(active) }
}

/**
 * After the table has changed its form: focuses the control with the same name in the new form, else the row's menu, else its
 * first control. Does nothing when something else has taken the focus.
 */
export function returnFocus(frame: HTMLElement, { row, name }: FocusPlace): void {
	const active = document.activeElement
	if (active && active !== document.body) return
	const controls = controlsIn(rowsIn(frame)[row] ?? frame)
	const same = controls.find((control) => nameOf(control) === name)
	const found = same ?? controls.find((control) => control.matches('[aria-haspopup], select')) ?? controls[0]
	found?.focus({ preventScroll: true })
}

function nameOf(element: Element): string {
	return element.ariaLabel ?? element.textContent
}

import { useEffect, useRef } from 'react'
import { focusHeading } from '../layout/use-lost-focus.ts'

const ROW = '[data-row]'
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)'
/** A dialog that asked before the row went may take this long to close. */
const MAX_WAIT_MS = 1000

interface FocusPlace {
	row: Element
	control: Element
	rowIndex: number
	/** Counted from the row's last control, as rows differ in how many they have. */
	fromEnd: number
}

/**
 * For a list whose rows can go: when the row that had the focus has gone, the focus passes to the same control of the
 * row that took its place, else of the one before, or to the screen's heading when none is left. Returns the ref of the
 * element around the rows, which carry `data-row`.
 */
export function useRowFocus() {
	const frame = useRef<HTMLDivElement>(null)
	const last = useRef<FocusPlace | null>(null)

	useEffect(() => {
		const remember = ({ target }: FocusEvent) => {
			if (!(target instanceof Element) || target.closest('[role=dialog], [role=menu]')) return
			last.current = frame.current?.contains(target) ? placeOf(target, frame.current) : null
		}
		document.addEventListener('focusin', remember)
		return () => document.removeEventListener('focusin', remember)
	}, [])

	// Rows go in any rendering.
	useEffect(() => {
		const place = last.current
		if (!place || place.control.isConnected) return
		last.current = null
		const since = performance.now()
		const pass = () => {
			const active = document.activeElement
			if (!active || active === document.body) passOn(frame.current, place)
			else if (active.closest('[role=dialog]') && performance.now() - since < MAX_WAIT_MS) requestAnimationFrame(pass)
		}
		pass()
	})
	return frame
}

function placeOf(control: Element, frame: Element): FocusPlace | null {
	const row = control.closest(ROW)
	if (!row) return null
	const controls = [...row.querySelectorAll(CONTROLS)]
	const rows = [...frame.querySelectorAll(ROW)]
	return { row, control, rowIndex: rows.indexOf(row), fromEnd: controls.length - controls.indexOf(control) }
}

function passOn(frame: Element | null, { row, rowIndex, fromEnd }: FocusPlace) {
	const rows = [...(frame?.querySelectorAll(ROW) ?? [])]
	const next = row.isConnected ? row : (rows[rowIndex] ?? rows.at(-1))
	const controls = [...(next?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
	const control = controls.at(-fromEnd) ?? controls.at(-1)
	if (control) control.focus()
	else focusHeading()
}

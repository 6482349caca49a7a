import { useEffect } from 'react'
import { focusHeading, passLostFocus } from '#lib/web/ui/layout/use-lost-focus.ts'

/** What a list's rows carry. */
const ROW = '[data-row]'
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)'

interface FocusPlace {
	control: Element
	row: Element
	list: Element | null
	rowIndex: number
	/** Counted from the row's last control, as rows differ in how many they have. */
	fromEnd: number
}

/**
 * When the row of a list that had the focus has gone, the focus passes to the same control of the row that took its
 * place, else of the one before, or to the screen's heading when none is left.
 */
export function useRowFocus(): void {
	useEffect(() => {
		let last: FocusPlace | null = null
		const observer = new MutationObserver(() => {
			if (!last || last.control.isConnected) return
			const place = last
			last = null
			observer.disconnect()
			passLostFocus(() => passOn(place))
		})
		const remember = ({ target }: FocusEvent) => {
			// A dialog or a menu gives the focus back to the row.
			if (!(target instanceof Element) || target.closest('[role=dialog], [role=menu]')) return
			observer.disconnect()
			last = placeOf(target)
			if (last) observer.observe(document.body, { childList: true, subtree: true })
		}
		document.addEventListener('focusin', remember)
		return () => {
			document.removeEventListener('focusin', remember)
			observer.disconnect()
		}
	}, [])
}

function placeOf(control: Element): FocusPlace | null {
	const row = control.closest(ROW)
	if (!row) return null
	const controls = [...row.querySelectorAll(CONTROLS)]
	const list = row.parentElement
	const rowIndex = rowsOf(list).indexOf(row)
	return { control, row, list, rowIndex, fromEnd: controls.length - controls.indexOf(control) }
}

function rowsOf(list: Element | null): Element[] {
	return list?.isConnected ? [...list.querySelectorAll(`:scope > ${ROW}`)] : []
}

function passOn({ row, list, rowIndex, fromEnd }: FocusPlace): void {
	const rows = rowsOf(list)
	const next = row.isConnected ? row : (rows[rowIndex] ?? rows.at(-1))
	const controls = [...(next?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
	const control = controls.at(-fromEnd) ?? controls.at(-1)
	if (control) control.focus()
	else focusHeading()
}

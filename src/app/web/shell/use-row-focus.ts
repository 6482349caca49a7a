import { useEffect } from 'react'
import { focusHeading, passLostFocus } from '#lib/web/ui/layout/use-lost-focus.ts'
import { controlsIn, rowOf, rowsIn } from '#lib/web/ui/table/row-controls.ts'

interface FocusPlace {
	control: HTMLElement
	row: HTMLElement
	list: Element
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
			if (!(target instanceof HTMLElement) || target.closest('[role=dialog], [role=menu]')) return
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

function placeOf(control: HTMLElement): FocusPlace | null {
	const row = rowOf(control)
	const list = row?.parentElement
	if (!row || !list) return null
	const controls = controlsIn(row)
	return {
		control,
		row,
		list,
		rowIndex: rowsOf(list).indexOf(row),
		fromEnd: controls.length - controls.indexOf(control),
	}
}

/** Without the rows of a table inside one of them. */
function rowsOf(list: Element): HTMLElement[] {
	return rowsIn(list).filter((row) => row.parentElement === list)
}

function passOn({ row, list, rowIndex, fromEnd }: FocusPlace): void {
	const rows = list.isConnected ? rowsOf(list) : []
	const next = row.isConnected ? row : (rows[rowIndex] ?? rows.at(-1))
	const controls = next ? controlsIn(next) : []
	const control = controls.at(-fromEnd) ?? controls.at(-1)
	if (control) control.focus()
	else focusHeading()
}

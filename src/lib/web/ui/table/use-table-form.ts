import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { minWidthOf, type Column } from './column.ts'
import { findFocus, returnFocus, type FocusPlace } from './form-focus.ts'

/** Buttons in every row, one menu in every row, or each row a card. */
type TableForm = 'buttons' | 'menus' | 'cards'

interface TableLayout {
	frame: RefObject<HTMLDivElement | null>
	form: TableForm
	/** Whether a row's actions are one menu. */
	asMenu: boolean
}

/** Widths found by measuring, for the rows that were measured. */
const UNMEASURED = { buttons: 0, menus: 0 }

/** Icon buttons stand beside the title of a card that is as wide as this. */
const WIDE_CARD = 560

/**
 * The form of a table by the width of its container. A table that is wider than its columns' minimum widths, because of a long
 * amount for example, is measured before it is painted.
 */
export function useTableForm<Row>(columns: readonly Column<Row>[], rows: readonly Row[] | undefined): TableLayout {
	const frame = useRef<HTMLDivElement>(null)
	const [width, setWidth] = useState(() => globalThis.innerWidth)
	const [measured, setMeasured] = useState(UNMEASURED)
	const measuredRows = useRef(rows)
	const focused = useRef<FocusPlace>(null)
	const needed = (asMenu: boolean) => columns.reduce((sum, column) => sum + minWidthOf(column, asMenu), 0)
	const form: TableForm =
		width >= Math.max(needed(false), measured.buttons)
			? 'buttons'
			: width >= Math.max(needed(true), measured.menus)
				? 'menus'
				: 'cards'
	const shownForm = useRef(form)

	useLayoutEffect(() => {
		const element = frame.current
		if (!element) return
		const read = () => {
			// Printing keeps the form; print.css makes the text smaller.
			if (matchMedia('print').matches) return
			focused.current = findFocus(element)
			setWidth((old) => element.clientWidth || old)
		}
		read()
		const observer = new ResizeObserver(read)
		observer.observe(element)
		return () => observer.disconnect()
	}, [])

	useLayoutEffect(() => {
		if (measuredRows.current === rows) return
		measuredRows.current = rows
		// Other rows may need another width, but the form does not change while the focus is in the table.
		if (!frame.current?.querySelector('[data-row] :focus')) setMeasured(UNMEASURED)
	}, [rows])

	useLayoutEffect(() => {
		const element = frame.current
		const table = rows && element?.querySelector('table')
		// The room may have grown since it was last read.
		if (form === 'cards' || !element || !table || table.offsetWidth <= Math.max(width, element.clientWidth)) return
		const found = table.offsetWidth
		focused.current = findFocus(element)
		setMeasured((old) => (found > old[form] ? { ...old, [form]: found } : old))
	}, [form, width, rows])

	useLayoutEffect(() => {
		if (shownForm.current === form) return
		shownForm.current = form
		if (frame.current && focused.current) returnFocus(frame.current, focused.current)
	}, [form])

	return { frame, form, asMenu: form === 'menus' || (form === 'cards' && width < WIDE_CARD) }
}

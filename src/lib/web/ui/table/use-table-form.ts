import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { leastWidth, type Column } from './column.ts'
import { findFocus, returnFocus, type FocusPlace } from './kept-focus.ts'

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
 * The form that a table takes in the room it has, which is not the window's: beside a sidebar or in a column it has less.
 * What turns out wider than its columns ask for, such as a long amount, is found by measuring before it is painted.
 */
export function useTableForm<Row>(columns: readonly Column<Row>[], rows: readonly Row[] | undefined): TableLayout {
	const frame = useRef<HTMLDivElement>(null)
	const [width, setWidth] = useState(() => globalThis.innerWidth)
	const [measured, setMeasured] = useState(UNMEASURED)
	const measuredRows = useRef(rows)
	const focused = useRef<FocusPlace>(null)
	const needed = (asMenu: boolean) => columns.reduce((sum, column) => sum + leastWidth(column, asMenu), 0)
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
			// Paper takes the table as it stands, in small letters.
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
		// Other rows need other widths, but whoever is at one of these keeps its form.
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

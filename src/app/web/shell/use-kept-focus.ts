import { useEffect } from 'react'

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), select'
/** Milliseconds in which a screen may focus an element itself. */
const PASS_MS = 50

interface FocusPlace {
	control: HTMLElement
	/** Table row of the element, if any. */
	row: HTMLElement | null
	list: Element | null
	rowIndex: number
	/** Index from the end of the row's controls, since rows differ in their number. */
	fromEnd: number
}

/**
 * Moves the focus when the focused element disappears and nothing else takes the focus: to the same control of the row
 * that took its row's place, else of the preceding row, else to the screen's heading.
 */
export function useKeptFocus(): void {
	useEffect(() => {
		let last: FocusPlace | null = null
		let pass: ReturnType<typeof setTimeout> | undefined
		const observer = new MutationObserver(() => {
			// A dialog or menu keeps the focus until it has faded out.
			if (!last || last.control.isConnected || focusedOverlay()) return
			const place = last
			last = null
			observer.disconnect()
			pass = setTimeout(() => isFocusLost() && passOn(place), PASS_MS)
		})
		const remember = ({ target }: FocusEvent) => {
			// A dialog or menu returns the focus to its opener.
			if (!(target instanceof HTMLElement) || focusedOverlay()) return
			observer.disconnect()
			last = target.closest('main') && placeOf(target)
			if (last) observer.observe(document.body, { childList: true, subtree: true })
		}
		document.addEventListener('focusin', remember)
		return () => {
			document.removeEventListener('focusin', remember)
			observer.disconnect()
			clearTimeout(pass)
		}
	}, [])
}

function focusedOverlay(): Element | null | undefined {
	return document.activeElement?.closest('[role=dialog], [role=menu]')
}

function isFocusLost(): boolean {
	return !document.activeElement || document.activeElement === document.body
}

function placeOf(control: HTMLElement): FocusPlace {
	const row = control.closest<HTMLElement>('[data-row]')
	const list = row?.parentElement ?? null
	const controls = controlsIn(row)
	return {
		control,
		row,
		list,
		rowIndex: row ? rowsOf(list).indexOf(row) : -1,
		fromEnd: controls.length - controls.indexOf(control),
	}
}

/** Returns the rows of a list, without those of nested tables. */
function rowsOf(list: Element | null): HTMLElement[] {
	return [...(list?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])]
}

/** Returns the visible focusable elements of a row in Tab order: its menu or its buttons. */
function controlsIn(row: HTMLElement | null | undefined): HTMLElement[] {
	return [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter((control) => control.checkVisibility())
}

function passOn({ row, list, rowIndex, fromEnd }: FocusPlace): void {
	const rows = list?.isConnected ? rowsOf(list) : []
	const controls = controlsIn(row?.isConnected ? row : (rows[rowIndex] ?? rows.at(-1)))
	const next = controls.at(-fromEnd) ?? controls.at(-1)
	if (next) return next.focus()
	const heading = document.querySelector<HTMLElement>('main h2')
	heading?.setAttribute('tabindex', '-1')
	heading?.focus()
}

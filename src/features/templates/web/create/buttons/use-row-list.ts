import { useState } from 'react'
import { toast } from '#lib/web/toast.tsx'
import { useAfterRender } from '#lib/web/ui/use-after-render.ts'
import type { SectionProps } from '../sections/section-props.ts'
import type { ButtonFields } from '../template-fields.ts'
import { moved, placeAt } from './reorder.ts'

interface RowListOptions<Row> {
	/** The list's items in the form now. */
	current: () => readonly Row[]
	set: (rows: Row[]) => void
	/** Name of an item, such as Button. */
	what: string
	max: number
	/** Element whose children are the rows. */
	list: React.RefObject<HTMLUListElement | null>
	/** Receives the focus when the last row is removed. */
	addButton: React.RefObject<HTMLButtonElement | null>
}

export interface RowList<Row> {
	/** Text for screen readers about the last change. */
	announcement: string
	add: (row: Row) => void
	remove: (index: number) => void
	move: (from: number, to: number) => void
	/** Drags the row at this index until the pointer is released. */
	drag: (index: number) => void
}

/** Adds, removes and moves the buttons or cards in the form. */
export function useRowList<Row>({ current, set, what, max, list, addButton }: RowListOptions<Row>): RowList<Row> {
	const [announcement, setAnnouncement] = useState('')
	const move = (from: number, to: number) => {
		if (from === to || to < 0 || to >= current().length) return
		set(moved(current(), from, to))
		setAnnouncement(`${what} moved to place ${to + 1} of ${current().length}`)
	}
	const focusRow = useAfterRender((index: number) => {
		const row = list.current?.children[index]
		const inputs = row?.querySelectorAll<HTMLElement>('input:not([type=file]), textarea') ?? []
		const targets = [...inputs, ...(row?.querySelectorAll('button') ?? []), addButton.current]
		targets.find((target) => target?.checkVisibility())?.focus()
	})
	return {
		announcement,
		move,
		add(row) {
			const rows = current()
			if (rows.length >= max) return toast.error(`Maximum ${max} ${what.toLowerCase()}s allowed`)
			set([...rows, row])
			focusRow(rows.length)
		},
		remove(index) {
			set(current().toSpliced(index, 1))
			setAnnouncement(`${what} removed, ${current().length} left`)
			// The focused button is gone, so the focus moves to the next one.
			focusRow(Math.min(index, current().length - 1))
		},
		drag(index) {
			let place = index
			const follow = ({ clientY }: PointerEvent) => {
				const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
				const next = placeAt(rows, place, clientY)
				move(place, next)
				place = next
			}
			const stop = new AbortController()
			const { signal } = stop
			window.addEventListener('pointermove', follow, { signal })
			for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => stop.abort(), { signal })
		},
	}
}

/** Beginning of the paths of a list of buttons: empty, or `cards.0.` for those of the first card. */
export type ButtonsAt = `cards.${number}.` | ''

/** Changes fields of the button at this index, and clears their errors. */
export function changeButton(
	form: SectionProps['form'],
	{ at = '', index }: { at?: ButtonsAt; index: number },
	change: Partial<ButtonFields>,
): void {
	for (const [name, value] of Object.entries(change)) form.setFieldValue(`${at}buttons.${index}.${name}`, value)
}

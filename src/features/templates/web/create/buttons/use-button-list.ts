import { useState } from 'react'
import { MAX_BUTTONS } from '#features/templates/limits.ts'
import { newRequestId } from '#lib/request-id.ts'
import { toast } from '#lib/web/toast.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import { newButton, type ButtonFields } from '../template-fields.ts'
import { moved, placeAt } from './reorder.ts'

interface ButtonListOptions {
	form: SectionProps['form']
	/** Element whose children are the rows. */
	list: React.RefObject<HTMLUListElement | null>
	/** Receives the focus when the last button is removed. */
	addButton: React.RefObject<HTMLButtonElement | null>
}

export interface ButtonList {
	/** Text for screen readers about the last change. */
	announcement: string
	add: (type: ButtonFields['type']) => void
	change: (index: number, change: Partial<ButtonFields>) => void
	remove: (index: number) => void
	move: (from: number, to: number) => void
	/** Drags the row at this index until the pointer is released. */
	drag: (index: number) => void
}

/** Adds, removes, changes and moves the buttons in the form. */
export function useButtonList({ form, list, addButton }: ButtonListOptions): ButtonList {
	const [announcement, setAnnouncement] = useState('')
	const current = () => form.getValues().buttons
	const set = (buttons: ButtonFields[]) => {
		// The errors are keyed by index, and the indexes have changed.
		for (const path of Object.keys(form.errors)) if (path.startsWith('buttons')) form.clearFieldError(path)
		form.setFieldValue('buttons', buttons)
	}
	const move = (from: number, to: number) => {
		if (from === to || to < 0 || to >= current().length) return
		set(moved(current(), from, to))
		setAnnouncement(`Button moved to place ${to + 1} of ${current().length}`)
	}
	const focusRow = (index: number) =>
		requestAnimationFrame(() => {
			const row = list.current?.children[index]
			if (row) row.querySelector('input')?.focus()
			else addButton.current?.focus()
		})
	return {
		announcement,
		move,
		add(type) {
			const buttons = current()
			if (buttons.length >= MAX_BUTTONS) return toast.error(`Maximum ${MAX_BUTTONS} buttons allowed`)
			set([...buttons, newButton(type, newRequestId())])
			focusRow(buttons.length)
		},
		change: (index, change) => changeButton(form, index, change),
		remove(index) {
			set(current().toSpliced(index, 1))
			setAnnouncement(`Button removed, ${current().length} left`)
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

/** Changes fields of the button at this index, and clears their errors. */
export function changeButton(form: SectionProps['form'], index: number, change: Partial<ButtonFields>): void {
	for (const name of Object.keys(change)) form.clearFieldError(`buttons.${index}.${name}`)
	form.setFieldValue(
		'buttons',
		form.getValues().buttons.map((button, at) => (at === index ? { ...button, ...change } : button)),
	)
}

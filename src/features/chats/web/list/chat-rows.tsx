import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { ChatContact } from '#features/chats/contract.ts'
import { useAfterRender } from '#lib/web/ui/use-after-render.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { ChatRow } from './chat-row.tsx'
import styles from './list.module.css'

/** Distance from the end of the list in pixels at which more chats are loaded. */
const LOAD_AHEAD_PX = 800

interface ChatRowsProps {
	contacts: readonly ChatContact[]
	selected: string | null
	addressOf: (number: string) => string
	/** Called repeatedly while the view is near the end. */
	onEnd: () => void
}

/**
 * Renders the list of chats, of which only the rows in view are in the DOM. One row is in the tab order; arrows, j and
 * k move to the others.
 */
export function ChatRows({ contacts, selected, addressOf, onEnd }: ChatRowsProps) {
	const scroller = useRef<HTMLDivElement>(null)
	const virtualizer = useRef<VirtualizerHandle>(null)
	const [active, setActive] = useState(selected)
	const now = useNow()
	const index = Math.max(
		0,
		contacts.findIndex(({ number }) => number === (active ?? selected)),
	)
	const focusNext = useAfterRender((number: string) => {
		const rows = scroller.current?.querySelectorAll<HTMLElement>('[data-number]') ?? []
		const row = [...rows].find(({ dataset }) => dataset['number'] === number)
		row?.focus({ preventScroll: true })
	})
	useReturn(selected, (closed) => {
		setActive(closed)
		focusNext(closed)
	})

	const move = (to: number) => {
		const next = contacts[Math.min(Math.max(to, 0), contacts.length - 1)]
		if (!next) return
		setActive(next.number)
		focusNext(next.number)
		virtualizer.current?.scrollToIndex(contacts.indexOf(next), { align: 'nearest' })
	}
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return
		const steps: Record<string, number> = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1 }
		const to = { ...steps, Home: 0, End: contacts.length - 1 }[event.key]
		if (to === undefined) return
		event.preventDefault()
		move(to)
	}
	const look = () => {
		const list = virtualizer.current
		if (list && list.scrollOffset + list.viewportSize > list.scrollSize - LOAD_AHEAD_PX) onEnd()
	}

	return (
		<nav className={styles.rows} ref={scroller} aria-label="Chats">
			<Virtualizer
				ref={virtualizer}
				as="ul"
				item="li"
				data={contacts}
				itemSize={68}
				keepMounted={[index]}
				onScroll={look}
				onResize={look}
			>
				{(contact: ChatContact, position) => (
					<ChatRow
						key={contact.number}
						contact={contact}
						to={addressOf(contact.number)}
						isSelected={contact.number === selected}
						isActive={position === index}
						now={now}
						onKeyDown={onKeyDown}
						replace={selected !== null}
					/>
				)}
			</Virtualizer>
		</nav>
	)
}

/** Calls `onClosed` with the number of a chat that was closed, so that its row can take the focus. */
function useReturn(selected: string | null, onClosed: (number: string) => void) {
	const before = useRef(selected)
	const latest = useRef(onClosed)
	useEffect(() => {
		latest.current = onClosed
	})
	useEffect(() => {
		if (before.current !== null && selected === null) latest.current(before.current)
		before.current = selected
	}, [selected])
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { chatToast } from '#lib/web/toast.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { fetchError } from '../chat-error.ts'
import { loadOlderMessages } from '../chat-queries.ts'
import type { Entry } from './timeline.ts'

/** Distance from the end in pixels within which the view counts as scrolled to the end. */
const END_PX = 60
/** Distance from the oldest loaded message in pixels at which older ones are loaded. */
const LOAD_AHEAD_PX = 1200

interface Refs {
	scroller: React.RefObject<HTMLElement | null>
	virtualizer: React.RefObject<VirtualizerHandle | null>
}

interface Given {
	number: string
	/** True if older messages can be loaded. */
	hasMore: boolean
}

/** Keeps the view at the newest message if it is there, otherwise where the reader has scrolled to. */
export function useHistoryScroll({ scroller, virtualizer }: Refs, entries: readonly Entry[], given: Given) {
	const isAtEnd = useRef(true)
	const [leftAt, setLeftAt] = useState<string | null>(null)
	const older = useOlder(given)
	const last = entries.at(-1)
	const lastKey = last?.key
	const isSending = Boolean(last?.outgoing)

	// Does not use virtua's `scrollToIndex`, which continues until all entries are measured and undoes the reader's scrolling.
	const toEnd = useCallback(
		() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' }),
		[scroller],
	)
	useStayAtEnd(scroller, { isAtEnd, toEnd, isEmpty: entries.length === 0 })
	// Sending a message scrolls to the end.
	useLayoutEffect(() => {
		if (lastKey && (isAtEnd.current || isSending)) toEnd()
	}, [lastKey, isSending, toEnd])

	const loadAhead = () => {
		if (virtualizer.current && virtualizer.current.scrollOffset < LOAD_AHEAD_PX) older.load()
	}
	return {
		/** Key of the newest message at the time when the reader scrolled up; null while the view is at the end. */
		leftAt,
		isShifting: useIsPrepended(entries),
		isLoadingOlder: older.isLoading,
		toLatest() {
			isAtEnd.current = true
			setLeftAt(null)
			toEnd()
		},
		onScroll() {
			const node = scroller.current
			if (!node) return
			isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < END_PX
			setLeftAt((old) => (isAtEnd.current ? null : (old ?? lastKey ?? null)))
			loadAhead()
		},
		onResize() {
			if (isAtEnd.current) toEnd()
			loadAhead()
		},
		show: useShow(virtualizer, entries),
	}
}

interface End {
	isAtEnd: React.RefObject<boolean>
	toEnd: () => void
	isEmpty: boolean
}

/** Keeps the view at the end while virtua measures entries and sets the height of the element that holds them. */
function useStayAtEnd(scroller: React.RefObject<HTMLElement | null>, { isAtEnd, toEnd, isEmpty }: End): void {
	useEffect(() => {
		const holder = scroller.current?.lastElementChild
		if (isEmpty || !holder) return
		const observer = new MutationObserver(() => {
			if (isAtEnd.current) toEnd()
		})
		observer.observe(holder, { attributeFilter: ['style'] })
		return () => observer.disconnect()
	}, [scroller, isAtEnd, toEnd, isEmpty])
}

/** Returns true if older messages were just prepended. Used as virtua's `shift`, which keeps the distance from the end. */
function useIsPrepended(entries: readonly Entry[]): boolean {
	const [state, setState] = useState({ entries, isPrepended: false })
	if (state.entries !== entries) {
		const isLonger = entries.length > state.entries.length
		const hasSameEnd = entries.at(-1)?.key === state.entries.at(-1)?.key
		setState({ entries, isPrepended: isLonger && hasSameEnd && entries[0]?.key !== state.entries[0]?.key })
	}
	return state.isPrepended
}

/** Scrolls to a message; does nothing if it is not loaded. */
function useShow(virtualizer: React.RefObject<VirtualizerHandle | null>, entries: readonly Entry[]) {
	const current = useRef(entries)
	useEffect(() => {
		current.current = entries
	}, [entries])
	return useCallback(
		(id: string) => {
			const index = current.current.findIndex(({ message }) => message.id === id)
			if (index >= 0) virtualizer.current?.scrollToIndex(index, { align: 'center' })
		},
		[virtualizer],
	)
}

function useOlder({ number, hasMore }: Given) {
	const { busy, run } = useAction()
	const load = () => {
		if (!hasMore) return
		run(
			() => loadOlderMessages(number),
			(error) => chatToast.error(fetchError(error, 'messages')),
		)
	}
	return { load, isLoading: busy }
}

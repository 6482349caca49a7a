/** Space in pixels between the toasts and a control that they keep clear of. */
const GAP = 8
/** Space in pixels between the toasts and the end of the window. */
const EDGE = 16
/** Height in pixels of the header with the space below it. */
const HEADER = 72

/** Vertical extent in pixels from the top of the window. */
interface Extent {
	top: number
	bottom: number
}

interface Place {
	/** Height of all toasts in pixels. */
	height: number
	/** Part of the window in which toasts may be. */
	room: Extent
	/** Controls that toasts must not cover. */
	clear: readonly Extent[]
	/** True to prefer the end of the room to its start. */
	fromEnd: boolean
}

/** Returns the top of the toasts: the place nearest to the preferred edge that covers no control; that edge without one. */
export function placeOf({ height, room, clear, fromEnd }: Place): number {
	const edge = fromEnd ? room.bottom - height : room.top
	const beside = clear.map(({ top, bottom }) => (fromEnd ? top - GAP - height : bottom + GAP))
	const isFree = (top: number) =>
		top >= room.top && top + height <= room.bottom && clear.every((one) => top + height <= one.top || top >= one.bottom)
	const nearest = [edge, ...beside].toSorted((a, b) => (fromEnd ? b - a : a - b))
	return nearest.find(isFree) ?? edge
}

const BUTTONS = '.mantine-Button-root, .mantine-CloseButton-root'
/** Selectors of what toasts must not cover. `data-uncovered` marks controls outside forms. */
const CLEAR = '[data-uncovered], form .mantine-Button-root'
const CLEAR_OF_DIALOG = `[aria-modal='true'] :is(${BUTTONS})`

/**
 * Keeps `--toast-top` at the place of the toasts while they are shown: below the header, on a phone and beside a dialog
 * at the end of the window, and never over a button of a form. Returns the function that stops it.
 */
export function keepToastPlace(): () => void {
	const toasts = document.querySelector(".mantine-Notifications-root[data-position='top-right']")
	if (!toasts) return () => {}
	let frame = 0
	const place = () => {
		const { left, right, height } = toasts.getBoundingClientRect()
		const isDialog = document.querySelector("[aria-modal='true']") !== null
		// An open chat has its newest messages at the end.
		const isPhone = matchMedia('(max-width: 40em)').matches && document.querySelector("[role='log']") === null
		const clear = [...document.querySelectorAll(isDialog ? CLEAR_OF_DIALOG : CLEAR)]
			.map((control) => control.getBoundingClientRect())
			.filter((control) => control.height > 0 && control.right > left && control.left < right)
		const room = { top: HEADER, bottom: window.innerHeight - EDGE }
		const top = placeOf({ height, room, clear, fromEnd: isDialog || isPhone })
		document.documentElement.style.setProperty('--toast-top', `${top}px`)
	}
	const schedule = () => {
		cancelAnimationFrame(frame)
		frame = requestAnimationFrame(place)
	}
	const sizes = new ResizeObserver(place)
	sizes.observe(toasts)
	sizes.observe(document.body)
	const nodes = new MutationObserver(schedule)
	nodes.observe(document.body, { childList: true, subtree: true })
	const listening = new AbortController()
	const options = { signal: listening.signal, capture: true, passive: true }
	window.addEventListener('scroll', schedule, options)
	window.addEventListener('resize', schedule, options)
	return () => {
		cancelAnimationFrame(frame)
		sizes.disconnect()
		nodes.disconnect()
		listening.abort()
	}
}

// Runs inside the page and is therefore compiled with the web app. The page gets the source text of each export, so every
// export is a function that uses only the other exports and the browser.

/** Returns the layout faults of the window at its current size, one per line, with the element and its text. */
export function layoutFindings(): string[] {
	const texts = visibleTexts()
	return [
		...overflowFindings(),
		...tableFindings(),
		...texts.flatMap(clippedFindings),
		...texts.flatMap(tornFindings),
		...placeholderFindings(),
		...controlFindings(),
	]
}

/** Reports a page that is wider than the window. Names the innermost elements that stick out. */
export function overflowFindings(): string[] {
	const { scrollWidth } = document.documentElement
	if (scrollWidth <= innerWidth) return []
	const wide = [...document.body.querySelectorAll('*')].filter((element) => {
		const clipper = element.parentElement && clipperOf(element.parentElement, 'x')
		return sticksOut(element) && (!clipper || sticksOut(clipper))
	})
	const innermost = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)))
	return [`the page is ${scrollWidth} px wide: ${innermost.slice(0, 3).map(nameOf).join('; ')}`]
}

/** Reports tables that scroll sideways. A list must become cards before its table is wider than the window. */
export function tableFindings(): string[] {
	return [...document.querySelectorAll('table[role=table]')].flatMap((table) => {
		const { scrollWidth = 0, clientWidth = 0 } = table.parentElement ?? {}
		return scrollWidth > clientWidth + 1 ? [`a table of ${scrollWidth} px in ${clientWidth} px: ${nameOf(table)}`] : []
	})
}

/** Returns true for an element that ends beyond the right edge of the window. */
export function sticksOut(element: Element): boolean {
	return element.getBoundingClientRect().right > innerWidth + 1
}

/** Returns the text nodes that are visible. */
export function visibleTexts(): Text[] {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	const found: Text[] = []
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const parent = node.parentElement
		if (!parent || !node.nodeValue?.trim() || /^(?:SCRIPT|STYLE|NOSCRIPT|OPTION|TEXTAREA)$/.test(parent.tagName))
			continue
		if (parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isForScreenReaders(parent)) {
			found.push(node as Text)
		}
	}
	return found
}

/**
 * Returns true for the text of an element that is clipped to nothing or to one pixel, which screen readers read and no one
 * sees.
 */
export function isForScreenReaders(element: Element): boolean {
	for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
		const { clipPath, clip, overflow } = getComputedStyle(at)
		if (clipPath.startsWith('inset(50%') || clip.startsWith('rect(0px, 0px, 0px') || clip === 'rect(0px)') return true
		if (
			overflow === 'hidden' &&
			(at.clientWidth <= 1 || at.clientHeight <= 1) &&
			getComputedStyle(at).position === 'absolute'
		) {
			return true
		}
	}
	return false
}

/** Returns the nearest ancestor that cuts off the element in this direction; undefined when a scroll bar comes first. */
export function clipperOf(element: Element, axis: 'x' | 'y'): Element | undefined {
	for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
		const style = getComputedStyle(at)
		const overflow = axis === 'x' ? style.overflowX : style.overflowY
		if (overflow !== 'visible') return at
		// The window places a fixed element, regardless of the ancestors that cut off others.
		if (style.position === 'fixed') return undefined
	}
	return undefined
}

export function isScrollable(element: Element, axis: 'x' | 'y'): boolean {
	const { overflowX, overflowY } = getComputedStyle(element)
	return /auto|scroll/.test(axis === 'x' ? overflowX : overflowY)
}

/** Reports text that an element cuts off without an ellipsis or title. */
export function clippedFindings(text: Text): string[] {
	const parent = text.parentElement
	if (!parent) return []
	const range = document.createRange()
	range.selectNodeContents(text)
	const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
	const found: string[] = []
	for (const axis of ['x', 'y'] as const) {
		const clipper = clipperOf(parent, axis)
		if (!clipper || isScrollable(clipper, axis)) continue
		const box = clipper.getBoundingClientRect()
		const isCut = rects.some((rect) =>
			axis === 'x'
				? rect.right > box.right + 1 || rect.left < box.left - 1
				: rect.bottom > box.bottom + rect.height * 0.3 || rect.top < box.top - rect.height * 0.3,
		)
		if (isCut && !saysMore(clipper)) {
			found.push(`cut off ${axis === 'x' ? 'at the side' : 'below'}: ${nameOf(parent)} by ${nameOf(clipper)}`)
		}
	}
	return found.slice(0, 1)
}

/** Returns true if an ellipsis or a title shows that there is more text. */
export function saysMore(clipper: Element): boolean {
	const { textOverflow, webkitLineClamp } = getComputedStyle(clipper)
	return textOverflow === 'ellipsis' || /\d/.test(webkitLineClamp) || clipper.hasAttribute('title')
}

/** Reports words that are broken inside: in boxes too narrow for words, and short words that would fit on a line. */
export function tornFindings(text: Text): string[] {
	const narrowPx = 90
	const shortLetters = 12
	const parent = text.parentElement
	const range = document.createRange()
	range.selectNodeContents(text)
	if (!parent || countLines(range) < 2) return []
	const room = roomOf(blockOf(parent))
	for (const { 0: token, index: start } of text.data.matchAll(/\S+/g)) {
		const isShort = token.replaceAll(/\p{M}/gu, '').length <= shortLetters
		if (!isShort && room >= narrowPx) continue
		// A line may break after a hyphen or a slash; runs of letters, and sums with their commas, must stay whole.
		for (const { 0: word, index } of token.matchAll(/\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]{2,}(?:[.,]\p{N}+)*/gu)) {
			range.setStart(text, start + index)
			range.setEnd(text, start + index + word.length)
			if (countLines(range) < 2 || (room >= narrowPx && widthOf(range) > room)) continue
			return [`“${word}” is torn apart in ${room} px: ${nameOf(parent)}`]
		}
	}
	return []
}

/** Returns the width that a box leaves to its text. */
export function roomOf(box: Element): number {
	const { paddingLeft, paddingRight } = getComputedStyle(box)
	return Math.round(box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
}

/** Returns the number of lines of a range. */
export function countLines(range: Range): number {
	const middles: number[] = []
	for (const { top, height, width } of range.getClientRects()) {
		const middle = top + height / 2
		if (width > 0 && !middles.some((known) => Math.abs(known - middle) < height / 2)) middles.push(middle)
	}
	return middles.length
}

/** Returns the width of a range on one line. */
export function widthOf(range: Range): number {
	return [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0)
}

/** Returns the box in which the element's text wraps. */
export function blockOf(element: Element): Element {
	let at = element
	while (at.parentElement && getComputedStyle(at).display.startsWith('inline')) {
		// An inline block wraps its own text.
		if (getComputedStyle(at).display !== 'inline') return at
		at = at.parentElement
	}
	return at
}

/**
 * Reports placeholders that are wider than their input, by the width of the text. The DOM does not say whether a placeholder
 * is cut.
 */
export function placeholderFindings(): string[] {
	const pen = document.createElement('canvas').getContext('2d')
	return [...document.querySelectorAll('input')].flatMap((input) => {
		const { font, paddingLeft, paddingRight } = getComputedStyle(input)
		const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
		if (!pen || input.value || !input.placeholder || !input.checkVisibility() || isForScreenReaders(input)) return []
		pen.font = font
		const over = Math.round(pen.measureText(input.placeholder).width - room)
		return over > 1 ? [`placeholder cut off by ${over} px: ${input.placeholder}`] : []
	})
}

/** Reports controls whose middle is outside the window or covered by another element. */
export function controlFindings(): string[] {
	const kinds =
		'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=radio], [role=checkbox], [role=menuitem], [role=option]'
	const controls = new Set(
		[...document.body.querySelectorAll(kinds)].filter((control) => {
			const { width, height } = control.getBoundingClientRect()
			const isShown = control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
			return isShown && width > 2 && height > 2 && !isForScreenReaders(control) && !isScrolledAway(control)
		}),
	)
	const found: string[] = []
	for (const control of controls) {
		const { left, right } = control.getBoundingClientRect()
		if (left >= -1 && right <= innerWidth + 1) continue
		controls.delete(control)
		found.push(`outside of the window (${Math.round(left)} to ${Math.round(right)} px): ${nameOf(control)}`)
	}
	const before = scrollY
	const end = document.documentElement.scrollHeight
	// Scrolls by half a window, so that a fixed header or bar covers a control at one stop at most.
	for (let top = 0; controls.size > 0 && top < end; top += innerHeight / 2) {
		scrollTo(0, top)
		for (const control of controls) if (isReachable(control)) controls.delete(control)
	}
	scrollTo(0, before)
	return [...found, ...[...controls].map((control) => `under something else: ${nameOf(control)}`)]
}

/** Returns true if a user has to scroll a part of the page, other than the window, to see the middle of a control. */
export function isScrolledAway(control: Element): boolean {
	const { left, right, top, bottom } = control.getBoundingClientRect()
	const [x, y] = [(left + right) / 2, (top + bottom) / 2]
	for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) {
		const box = at.getBoundingClientRect()
		if (isScrollable(at, 'x') && (x < box.left || x > box.right)) return true
		if (isScrollable(at, 'y') && (y < box.top || y > box.bottom)) return true
	}
	return false
}

/** Returns true if a click on the middle of a control hits the control. */
export function isReachable(control: Element): boolean {
	// A link over two lines has two boxes. Takes the first one, because the middle of both may be outside the link.
	const { left, right, top, bottom } = control.getClientRects()[0] ?? control.getBoundingClientRect()
	const [x, y] = [(left + right) / 2, (top + bottom) / 2]
	if (y < 0 || y > innerHeight) return false
	const hit = document.elementFromPoint(x, y)
	if (!hit) return false
	const label = hit.closest('label')
	return control.contains(hit) || hit.contains(control) || (label !== null && label.control === control)
}

/** Describes an element: tag, role or name, and its first words. */
export function nameOf(element: Element): string {
	const words = (element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ').slice(0, 60)
	const [name = ''] = (element.getAttribute('class') ?? '').split(' ')
	return `<${element.tagName.toLowerCase()}${name && ` class=${name}`}> ${words}`
}

import type { Page } from 'playwright-core'

/** Minimum sizes of a target: for a finger (`pointer: coarse`), and the minimum of WCAG 2.2 (2.5.8). */
export const TOUCH_PX = 44
export const LEAST_PX = 24

/**
 * Script for the page. The size of a target is that of its box, with its label's, or of the area around its middle in which a
 * tap reaches it; a tap in the middle must reach it in any case. A tap anywhere in a field of tags reaches its input. Links
 * within a sentence are exempt, as in WCAG.
 */
const SMALL_TARGETS = String.raw`(least, within) => {
	const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=tab], [role=menuitem], [role=option]'
	const isShown = (node) => {
		const { width, height } = node.getBoundingClientRect()
		return width > 1 && height > 1 && node.checkVisibility({ visibilityProperty: true }) && !node.closest('[inert]')
	}
	const isInSentence = (node) =>
		getComputedStyle(node).display === 'inline' &&
		[...node.parentNode.childNodes].some((sibling) => sibling.nodeType === Node.TEXT_NODE && /\w/.test(sibling.data))
	const partsOf = (node) => [node, ...(node.labels ?? []), node.closest('.mantine-TagsInput-input') ?? node]
	const boxOf = (node) => {
		const boxes = partsOf(node).filter(isShown).map((one) => one.getBoundingClientRect())
		const [left, top] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])))
		const [right, bottom] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])))
		return { left, top, width: right - left, height: bottom - top }
	}
	const isReached = (node, { left, top, width, height }, reach) => {
		const [x, y] = [left + width / 2, top + height / 2]
		return [[x - reach, y], [x + reach, y], [x, y - reach], [x, y + reach]].every(([atX, atY]) => {
			const hit = document.elementFromPoint(atX, atY)
			return hit && partsOf(node).some((part) => part.contains(hit))
		})
	}
	const found = []
	for (const node of [...document.querySelectorAll(within)].flatMap((part) => [...part.querySelectorAll(CONTROLS)])) {
		if (!isShown(node) || node.disabled || node.type === 'hidden' || isInSentence(node)) continue
		if (node.matches('[href="#main"]:not(:focus)')) continue
		node.scrollIntoView({ block: 'center' })
		const box = boxOf(node)
		const isLarge = box.width >= least - 0.5 && box.height >= least - 0.5
		if (isLarge ? isReached(node, box, 0) : isReached(node, box, least / 2 - 1)) continue
		const size = Math.round(box.width) + ' × ' + Math.round(box.height)
		found.push(size + ' px: ' + (node.getAttribute('aria-label') ?? node.textContent.trim().slice(0, 40)) + ' ' + node.outerHTML.slice(0, 120))
	}
	return found
}`

/** Returns the visible targets that are smaller than `leastPx`, one per line, within the element of the selector. */
export async function smallTargets(page: Page, leastPx: number, where: string, within = 'body'): Promise<string[]> {
	const found = await page.evaluate<string[]>(`(${SMALL_TARGETS})(${leastPx}, '${within}')`)
	return found.map((line) => `${where}: ${line}`)
}

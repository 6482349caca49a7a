import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokens, type Token } from './colours.ts'

/** Each text or mark colour with its background and the minimum contrast of WCAG 2.2 AA (4.5 for text, 3 for marks). */
const pairs: [front: Token | '#FFFFFF', back: Token, least: number][] = [
	['text', 'canvas', 4.5],
	['text', 'surface', 4.5],
	['text', 'raised', 4.5],
	['text', 'hover', 4.5],
	['secondary', 'canvas', 4.5],
	['secondary', 'surface', 4.5],
	['secondary', 'raised', 4.5],
	['placeholder', 'surface', 4.5],
	['input-border', 'surface', 3],
	['#FFFFFF', 'primary', 4.5],
	['#FFFFFF', 'primary-hover', 4.5],
	['#FFFFFF', 'danger', 4.5],
	['link', 'surface', 4.5],
	['link', 'canvas', 4.5],
	['nav-text', 'nav-fill', 4.5],
	['secondary', 'nav-fill', 4.5],
	['text', 'nav-fill', 4.5],
	['secondary', 'hover', 4.5],
	['link', 'hover', 4.5],
	['link', 'raised', 4.5],
	['danger-text', 'hover', 4.5],
	['danger-text', 'raised', 4.5],
	['nav-text', 'hover', 4.5],
	['nav-text', 'raised', 4.5],
	['focus', 'nav-fill', 3],
	['focus', 'canvas', 3],
	['focus', 'surface', 3],
	['danger-text', 'surface', 4.5],
	['ok-text', 'ok-fill', 4.5],
	['warn-text', 'warn-fill', 4.5],
	['error-text', 'error-fill', 4.5],
	['info-text', 'info-fill', 4.5],
	['neutral-text', 'neutral-fill', 4.5],
	['chart-sent', 'surface', 3],
	['chart-delivered', 'surface', 3],
	['chart-read', 'surface', 3],
	['chart-failed', 'surface', 3],
	['chart-pending', 'surface', 3],
	['text', 'chat-incoming', 4.5],
	['text', 'chat-outgoing', 4.5],
	['chat-time', 'chat-outgoing', 4.5],
	['chat-time', 'chat-incoming', 4.5],
	['tick', 'chat-outgoing', 3],
	['tick-read', 'chat-outgoing', 3],
]

for (const scheme of ['light', 'dark'] as const)
	test(`every pair of colours of the ${scheme} theme reaches the contrast of WCAG`, () => {
		const faint = pairs
			.map(([front, back, least]) => {
				const ratio = contrast(front === '#FFFFFF' ? front : tokens[scheme][front], tokens[scheme][back])
				return { front, back, ratio, least }
			})
			.filter(({ ratio, least }) => ratio < least)
		assert.deepEqual(faint, [])
	})

test('contrast returns 21 for black on white', () => assert.equal(contrast('#000000', '#FFFFFF'), 21))

function contrast(one: string, other: string): number {
	const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
	return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
	const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
		const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
		return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
	})
	return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

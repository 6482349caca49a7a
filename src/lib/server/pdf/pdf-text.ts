import { readFileSync } from 'node:fs'
import { letMarksStay, shapeFigure } from './font-shaping.ts'

const SCRIPTS = {
	'sans-arabic-400': /^\p{Script=Arabic}/u,
	'sans-bengali-400': /^\p{Script=Bengali}/u,
	'sans-gujarati-400': /^\p{Script=Gujarati}/u,
	'sans-gurmukhi-400': /^\p{Script=Gurmukhi}/u,
	'sans-kannada-400': /^\p{Script=Kannada}/u,
	'sans-malayalam-400': /^\p{Script=Malayalam}/u,
	'sans-oriya-400': /^\p{Script=Oriya}/u,
	'sans-tamil-400': /^\p{Script=Tamil}/u,
	'sans-telugu-400': /^\p{Script=Telugu}/u,
	'emoji-400': /^[\p{Extended_Pictographic}\p{Regional_Indicator}]/u,
} as const
const OWN = [
	'sans-latin-400',
	'sans-latin-700',
	'sans-latin-ext-400',
	'sans-devanagari-400',
	'sans-devanagari-700',
] as const
type Face = keyof typeof SCRIPTS | (typeof OWN)[number]

const SCRIPT_FACES = Object.entries(SCRIPTS) as [Face, RegExp][]
const FACES: Face[] = [...OWN, ...SCRIPT_FACES.map(([face]) => face)]

const fonts = new Map<Face, Buffer>()

/** Registers Noto fonts with a document. PDF's standard fonts lack the rupee sign and Indian scripts. */
export function registerFonts(doc: PDFKit.PDFDocument): void {
	for (const face of FACES) {
		const file = fonts.get(face) ?? readFileSync(new URL(`fonts/noto-${face}.ttf`, import.meta.url))
		fonts.set(face, file)
		doc.registerFont(face, file)
	}
}

export interface TextStyle {
	/** Font size in points. */
	size: number
	color: string
	bold?: boolean
}

export interface Place {
	doc: PDFKit.PDFDocument
	x: number
	y: number
	width: number
}

/** Distances from the top of a line to its baseline and to the next line, for size 1, in Noto Sans. */
const ASCENT = 1.069
const LINE_HEIGHT = 1.362
const LINE_GAP = 1.5

export const lineHeight = ({ size }: TextStyle) => size * LINE_HEIGHT + LINE_GAP

/** Writes wrapped text of one or several scripts; returns the y below it. */
export function writeText({ doc, x, y, width }: Place, text: string, style: TextStyle): number {
	const lines = wrapText({ doc, width }, text, style)
	for (const [index, line] of lines.entries()) writeLine({ doc, x, y: y + index * lineHeight(style) }, line, style)
	return y + Math.max(lines.length, 1) * lineHeight(style)
}

/** Writes one line, with its runs of different fonts on one baseline. */
export function writeLine({ doc, x, y }: Omit<Place, 'width'>, line: string, style: TextStyle): void {
	let left = x
	doc.fillColor(style.color)
	for (const { face, text } of splitByFace(line, style.bold)) {
		chooseFont(doc, face, text).fontSize(style.size)
		doc.text(text, left, y + ASCENT * style.size, { lineBreak: false, baseline: 'alphabetic' })
		left += doc.widthOfString(text)
	}
}

/** Returns the width of a line in points. */
export function widthOf(doc: PDFKit.PDFDocument, line: string, { size, bold }: TextStyle): number {
	return splitByFace(line, bold).reduce(
		(sum, { face, text }) => sum + chooseFont(doc, face, text).fontSize(size).widthOfString(text),
		0,
	)
}

/** Selects the font and prepares it for this text. */
function chooseFont(doc: PDFKit.PDFDocument, face: Face, text: string): PDFKit.PDFDocument {
	doc.font(face)
	letMarksStay(doc)
	shapeFigure(doc, text)
	return doc
}

/** Invisible characters such as direction marks and breaks. Joiners are kept: they are part of letters. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * Wraps a text into lines of this width. A word longer than a line is broken between letters, never inside an Indian
 * syllable.
 */
export function wrapText({ doc, width }: Pick<Place, 'doc' | 'width'>, text: string, style: TextStyle): string[] {
	const fits = (line: string) => widthOf(doc, line, style) <= width
	const plain = text
		.normalize('NFC')
		.replaceAll(INVISIBLE, '')
		.replaceAll(/[^\S\n]+/g, ' ')
		.replaceAll(/ ?\n[ \n]*/g, '\n')
		.trim()
	return plain.split('\n').flatMap((paragraph) => {
		if (fits(paragraph)) return [paragraph]
		const lines: string[] = []
		for (const word of paragraph.split(' ').flatMap((whole) => (fits(whole) ? [whole] : cut(whole, fits)))) {
			const longer = `${lines.at(-1)} ${word}`
			if (lines.length > 0 && fits(longer)) lines.splice(-1, 1, longer)
			else lines.push(word)
		}
		return lines
	})
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits a word into the longest pieces that fit. */
function cut(word: string, fits: (text: string) => boolean): string[] {
	const pieces: string[] = []
	for (const { segment } of graphemes.segment(word)) {
		const longer = (pieces.at(-1) ?? '') + segment
		if (pieces.length > 0 && fits(longer)) pieces.splice(-1, 1, longer)
		else pieces.push(segment)
	}
	return pieces
}

const ASCII = /^[\u0020-\u007e]*$/
// Includes the rupee sign, which this font file contains.
const DEVANAGARI = /^[\p{Script_Extensions=Devanagari}\u20b9]/u
const LATIN =
	/^[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2212\u20ac\u2122]/
const LATIN_EXTENDED = /^[\u0100-\u0259\u1e00-\u1e9f\u1ef2-\u1eff]/

interface Run {
	face: Face
	text: string
}

/** Splits a line into runs of one font each. A letter that no font has becomes a question mark. */
function splitByFace(line: string, bold = false): Run[] {
	if (ASCII.test(line)) return [{ face: bold ? 'sans-latin-700' : 'sans-latin-400', text: line }]
	const runs: Run[] = []
	for (const { segment } of graphemes.segment(line)) {
		const { face, text } = runOf(segment, bold)
		const last = runs.at(-1)
		if (last?.face === face) last.text += text
		else runs.push({ face, text })
	}
	return turnArabic(runs)
}

/**
 * Reverses the order of adjacent Arabic words, which read from the right; the font reverses the letters within each.
 */
function turnArabic(runs: Run[]): Run[] {
	const isArabic = (run: Run | undefined) => run?.face === 'sans-arabic-400'
	for (let from = runs.findIndex(isArabic); from >= 0;) {
		let to = from + 1
		while (isArabic(runs[to]) || (isArabic(runs[to + 1]) && /^ +$/.test(runs[to]?.text ?? ''))) to++
		runs.splice(from, to - from, ...runs.slice(from, to).toReversed())
		from = runs.findIndex((run, index) => index >= to && isArabic(run))
	}
	return runs
}

function runOf(grapheme: string, bold: boolean): Run {
	if (DEVANAGARI.test(grapheme)) return { face: bold ? 'sans-devanagari-700' : 'sans-devanagari-400', text: grapheme }
	if (LATIN_EXTENDED.test(grapheme)) return { face: 'sans-latin-ext-400', text: grapheme.charAt(0) }
	const script = SCRIPT_FACES.find(([, pattern]) => pattern.test(grapheme))
	const isLatin = LATIN.test(grapheme)
	if (script && !isLatin) return { face: script[0], text: grapheme.replaceAll('\ufe0f', '') }
	return { face: bold ? 'sans-latin-700' : 'sans-latin-400', text: isLatin ? grapheme.charAt(0) : '?' }
}

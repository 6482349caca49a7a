import { readFileSync } from 'node:fs'

const faces = ['latin-400', 'latin-700', 'latin-ext-400', 'devanagari-400', 'devanagari-700'] as const
type Face = (typeof faces)[number]

const fonts = new Map<Face, Buffer>()

/** Makes Noto Sans known to a document. The standard fonts of PDF have neither a rupee sign nor Devanagari. */
export function registerFonts(doc: PDFKit.PDFDocument): void {
	for (const face of faces) {
		const file = fonts.get(face) ?? readFileSync(new URL(`fonts/noto-sans-${face}.woff`, import.meta.url))
		fonts.set(face, file)
		doc.registerFont(face, file)
	}
}

export interface TextStyle {
	size: number
	color: string
	bold?: boolean
}

interface Place {
	doc: PDFKit.PDFDocument
	x: number
	y: number
	width: number
}

/** Writes wrapped text of one or several scripts; returns the y under it. The fonts are parts of one and share their lines. */
export function writeText({ doc, x, y, width }: Place, text: string, { size, color, bold = false }: TextStyle): number {
	const runs = splitByFace(text, bold)
	doc.fillColor(color).fontSize(size)
	runs.forEach(({ face, text: part }, index) => {
		const options = { width, lineGap: 1.5, continued: index < runs.length - 1 }
		doc.font(face)
		if (index === 0) doc.text(part, x, y, options)
		else doc.text(part, options)
	})
	return doc.y
}

// With the joiners between its letters, and the rupee sign, which this file of the font has.
const DEVANAGARI = /\p{Script_Extensions=Devanagari}|\u200c|\u200d|\u20b9/u
const latin =
	/[\n\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122]/
const LATIN_EXTENDED = /[\u0100-\u0259\u1e00-\u1e9f\u1ef2-\u1eff]/

/** The pieces of a text that one file of the font can write each. What none of them can is shown as a question mark. */
function splitByFace(text: string, bold: boolean): { face: Face; text: string }[] {
	const runs: { face: Face; text: string }[] = []
	for (const character of text.normalize('NFC').replace(/\s*\n\s*/g, '\n')) {
		const { face, shown } = faceOf(character, bold)
		const last = runs.at(-1)
		// A space between two Hindi words stays with them.
		if (last && (last.face === face || (character === ' ' && last.face !== 'latin-ext-400'))) last.text += shown
		else runs.push({ face, text: shown })
	}
	return runs.length > 0 ? runs : [{ face: bold ? 'latin-700' : 'latin-400', text: '' }]
}

function faceOf(character: string, bold: boolean): { face: Face; shown: string } {
	if (DEVANAGARI.test(character)) return { face: bold ? 'devanagari-700' : 'devanagari-400', shown: character }
	if (LATIN_EXTENDED.test(character)) return { face: 'latin-ext-400', shown: character }
	return { face: bold ? 'latin-700' : 'latin-400', shown: latin.test(character) ? character : '?' }
}

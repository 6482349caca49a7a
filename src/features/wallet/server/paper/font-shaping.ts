/** What pdfkit and fontkit do with a font, and their types leave out. */
interface Font {
	/** Of words, for as long as the document is being made. */
	layoutCache?: Record<string, Shape>
	layoutCached?(text: string): Shape
	font?: { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPlacing | null } } }
}

interface Shape {
	glyphs: unknown[]
	positions: unknown[]
	advanceWidth: number
}

interface MarkPlacing {
	applyAnchor(mark: { markAnchor: unknown }, base: unknown, index: number): void
}

interface Internals {
	_font: Font
	_fontFamilies: Record<string, Font>
}

const internalsOf = (doc: PDFKit.PDFDocument) => doc as unknown as Internals

const patched = new WeakSet<MarkPlacing>()

/**
 * Fonts leave anchors out where a mark needs no moving, in Gurmukhi and Telugu for instance; fontkit would then throw and take
 * the whole paper with it. In the document's present font such a mark now stays where it is.
 */
export function letMarksStay(doc: PDFKit.PDFDocument): void {
	const placing = internalsOf(doc)._font.font?._layoutEngine?.engine?.GPOSProcessor
	if (!placing || patched.has(placing)) return
	patched.add(placing)
	const apply = placing.applyAnchor.bind(placing)
	placing.applyAnchor = (mark, base, index) => {
		if (mark.markAnchor && base) apply(mark, base, index)
	}
}

const FIGURE = /^[\d,.-]{2,}$/

/** Puts an amount together from its digits, which are all equally wide: shaping each as a word of its own takes most of the time. */
export function shapeFigure(doc: PDFKit.PDFDocument, text: string): void {
	const font = internalsOf(doc)._font
	if (!font.layoutCache || !font.layoutCached || !FIGURE.test(text) || font.layoutCache[text]) return
	const shape: Shape = { glyphs: [], positions: [], advanceWidth: 0 }
	for (const digit of text) {
		const { glyphs, positions, advanceWidth } = font.layoutCached(digit)
		shape.glyphs.push(...glyphs)
		shape.positions.push(...positions)
		shape.advanceWidth += advanceWidth
	}
	font.layoutCache[text] = shape
}

/** Forgets how words are shaped: for long documents, now and then. */
export function forgetShapes(doc: PDFKit.PDFDocument): void {
	for (const font of Object.values(internalsOf(doc)._fontFamilies)) {
		// As pdfkit makes it: in an object with a prototype the word "constructor" would have been found.
		if (font.layoutCache) font.layoutCache = Object.create(null) as Record<string, Shape>
	}
}

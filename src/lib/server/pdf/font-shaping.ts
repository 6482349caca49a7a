/** Internals of pdfkit and fontkit that their types lack. */
interface Font {
	/** Cache of words, kept while the document is written. */
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
 * Works around fontkit, which throws for marks without an anchor in fonts for Gurmukhi and Telugu. After the patch such
 * marks of the current font stay in place.
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

/** Caches an amount's shape, composed of its equally wide digits: shaping each amount took most of the time. */
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

/** Clears the caches of shaped words, which grow with the length of the document. */
export function forgetShapes(doc: PDFKit.PDFDocument): void {
	for (const font of Object.values(internalsOf(doc)._fontFamilies)) {
		// The cache has no prototype, as in pdfkit: with one, it would have an entry for the word "constructor".
		if (font.layoutCache) font.layoutCache = Object.create(null) as Record<string, Shape>
	}
}

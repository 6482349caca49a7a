const TAGS = { '*': 'strong', _: 'em', '~': 's' } as const

type Tag = (typeof TAGS)[keyof typeof TAGS]

/** Text without marks, or the content of a mark. */
export type Piece = string | { tag: Tag; pieces: Piece[] } | { tag: 'code'; pieces: string[] }

/** Maximum nesting of the three marks; deeper marks are shown literally. */
const MAX_DEPTH = 4

/**
 * Parses `*bold*`, `_italic_`, `~struck~` and three backquotes for fixed width. As in WhatsApp, a mark opens after the
 * start, a space or punctuation, and encloses no line break and no space at its inner edges. Closing positions are
 * found in one pass per kind of mark, because a message may contain thousands of marks that never close.
 */
export function readMarks(text: string): Piece[] {
	return read(Array.from(text), 0)
}

function read(chars: string[], depth: number): Piece[] {
	const closing = closingsIn(chars)
	const pieces: Piece[] = []
	let plainFrom = 0
	for (let at = 0; at < chars.length;) {
		const found = fenceAt(chars, at, closing) ?? markAt(chars, at, closing)
		if (!found || depth === MAX_DEPTH) {
			at++
			continue
		}
		if (at > plainFrom) pieces.push(chars.slice(plainFrom, at).join(''))
		const inner = chars.slice(found.from, found.to)
		pieces.push(
			found.tag === 'code'
				? { tag: 'code', pieces: [inner.join('')] }
				: { tag: found.tag, pieces: read(inner, depth + 1) },
		)
		plainFrom = found.end
		at = found.end
	}
	if (plainFrom < chars.length) pieces.push(chars.slice(plainFrom).join(''))
	return pieces
}

interface Closings {
	fence: Int32Array
	newline: Int32Array
	marks: Record<string, Int32Array>
}

function closingsIn(chars: string[]): Closings {
	const marks = Object.keys(TAGS).map((mark) => {
		const closes = (at: number) => chars[at] === mark && !isSpace(chars[at - 1]) && !isWord(chars[at + 1])
		return [mark, nextWhere(chars, closes)] as const
	})
	return {
		fence: nextWhere(chars, (at) => isFence(chars, at)),
		newline: nextWhere(chars, (at) => chars[at] === '\n'),
		marks: Object.fromEntries(marks),
	}
}

/** Returns, for each position, the next position at which `holds` is true; the length when there is none. */
function nextWhere(chars: string[], holds: (at: number) => boolean): Int32Array {
	const next = new Int32Array(chars.length + 5).fill(chars.length)
	for (let at = chars.length - 1; at >= 0; at--) next[at] = holds(at) ? at : (next[at + 1] ?? chars.length)
	return next
}

interface Found {
	tag: Tag | 'code'
	/** Start and end of the enclosed text. */
	from: number
	to: number
	/** Position after the closing mark. */
	end: number
}

function fenceAt(chars: string[], at: number, { fence }: Closings): Found | null {
	const to = fence[at + 4] ?? chars.length
	return isFence(chars, at) && to < chars.length ? { tag: 'code', from: at + 3, to, end: to + 3 } : null
}

function markAt(chars: string[], at: number, { marks, newline }: Closings): Found | null {
	const mark = chars[at]
	if (!isMark(mark) || isWord(chars[at - 1]) || isSpace(chars[at + 1])) return null
	const to = marks[mark]?.[at + 2] ?? chars.length
	const isOnOneLine = to < (newline[at] ?? chars.length)
	return to < chars.length && isOnOneLine ? { tag: TAGS[mark], from: at + 1, to, end: to + 1 } : null
}

function isMark(char: string | undefined): char is keyof typeof TAGS {
	return char !== undefined && Object.hasOwn(TAGS, char)
}

function isFence(chars: string[], at: number): boolean {
	return chars[at] === '`' && chars[at + 1] === '`' && chars[at + 2] === '`'
}

function isSpace(char: string | undefined): boolean {
	return char !== undefined && /\s/.test(char)
}

function isWord(char: string | undefined): boolean {
	return char !== undefined && /[\p{L}\p{N}]/u.test(char)
}

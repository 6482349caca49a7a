/** A piece of a text; `href` is set if it is a link. */
export interface Piece {
	text: string
	href: string | null
}

// Excludes spaces, quotes, angle brackets, and invisible characters that change the writing direction.
const LINK = /https?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+/giu
/** Trailing punctuation that belongs to the sentence, not to the URL. */
const TAIL = '.,:;!?)]}*_~।'

/** Splits a text into plain pieces and links. Only http and https URLs become links. */
export function linkify(text: string): Piece[] {
	const pieces: Piece[] = []
	let end = 0
	for (const match of text.matchAll(LINK)) {
		const found = withoutTail(match[0])
		const href = webAddress(found)
		if (!href) continue
		if (match.index > end) pieces.push({ text: text.slice(end, match.index), href: null })
		pieces.push({ text: found, href })
		end = match.index + found.length
	}
	if (end < text.length) pieces.push({ text: text.slice(end), href: null })
	return pieces
}

function withoutTail(link: string): string {
	let end = link.length
	while (end > 0 && TAIL.includes(link.charAt(end - 1))) end--
	return link.slice(0, end)
}

function webAddress(text: string): string | null {
	const url = URL.parse(text)
	return url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
}

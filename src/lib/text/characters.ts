const segmenter = new Intl.Segmenter('en')

/** Returns the first `count` graphemes. An emoji, or a letter with its combining marks, is one grapheme. */
export function firstCharacters(text: string, count: number): string {
	let end = 0
	let taken = 0
	for (const { index, segment } of segmenter.segment(text)) {
		if (++taken > count) break
		end = index + segment.length
	}
	return text.slice(0, end)
}

/** Returns `text` if it fits, otherwise its first `count` graphemes and an ellipsis. */
export function shortened(text: string, count: number): string {
	const start = firstCharacters(text, count)
	return start === text ? text : `${start}...`
}

/** Returns the letter for an avatar. */
export function initialOf(name: string): string {
	return firstCharacters(name, 1).toUpperCase()
}

/**
 * Returns the number of code points, the unit of WhatsApp and PostgreSQL: an emoji outside the basic plane is one, not
 * two.
 */
export function countCharacters(text: string): number {
	return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

/** Returns the first `count` code points. */
export function cutTo(text: string, count: number): string {
	if (text.length <= count) return text
	return Array.from(text.slice(0, count * 2))
		.slice(0, count)
		.join('')
}

/** Returns the message for a text of more than `max` code points. */
export function atMost(max: number): string {
	return `At most ${max} characters are allowed`
}

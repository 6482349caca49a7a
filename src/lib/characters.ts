const segmenter = new Intl.Segmenter('en')

/** The first `count` graphemes: an emoji, or a letter with its combining marks, is one and is never split. */
export function firstCharacters(text: string, count: number): string {
	let end = 0
	let taken = 0
	for (const { index, segment } of segmenter.segment(text)) {
		if (++taken > count) break
		end = index + segment.length
	}
	return text.slice(0, end)
}

/** `text`, or its first `count` graphemes and an ellipsis. */
export function shortened(text: string, count: number): string {
	const start = firstCharacters(text, count)
	return start === text ? text : `${start}...`
}

/** For an avatar. */
export function initialOf(name: string): string {
	return firstCharacters(name, 1).toUpperCase()
}

/** Returns the number of code points, by which WhatsApp and PostgreSQL count: an emoji outside the basic plane is one, not two. */
export function countCharacters(text: string): number {
	return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

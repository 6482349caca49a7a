const MAX_AGE_MONTHS = 6

export interface Image {
	/** Image with its digest: `postgres:18.6@sha256:…`. */
	name: string
	/** Month in which the image was built, such as `2026-10`; null when the file does not name it. */
	built: string | null
}

/**
 * Returns the images that a Dockerfile or a compose file takes from a registry. Reads the month from a comment, `# built
 * 2026-10`, after the image or in the comment lines above it.
 */
export function findImages(text: string): Image[] {
	const lines = text.split('\n')
	return lines.flatMap((line, at) => {
		const name = /^(?:FROM|\s+image:) +(\S+:\S+)/.exec(line)?.[1]
		if (!name) return []
		const firstAbove = lines.findLastIndex((above, index) => index < at && !above.startsWith('#')) + 1
		const comment = [...lines.slice(firstAbove, at), line.slice(line.indexOf(name) + name.length)].join(' ')
		return { name, built: /\bbuilt (\d{4}-\d{2})\b/i.exec(comment)?.[1] ?? null }
	})
}

/** Returns true for an image that was built more than six months before `now`, or in an unknown month. */
export function isOld({ built }: Image, now: Date): boolean {
	if (built === null) return true
	const [year = 0, month = 0] = built.split('-').map(Number)
	return now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 - (year * 12 + month) > MAX_AGE_MONTHS
}

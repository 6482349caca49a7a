/** The newest version of the Graph API, and the oldest that still works: calls of older ones are answered as this one's. */
const NEWEST = 26
const OLDEST = 22

/** The highest minor version of the two majors that had any but 0. */
const MINORS: Record<string, number> = { 2: 12, 3: 3 }

/** The version that answers a call of `v25.0`, or null where there never was such a version. */
export function answeringVersion(name: string): string | null {
	const [, major = '', minor = ''] = /^v([1-9]\d?)\.(0|[1-9]\d?)$/.exec(name) ?? []
	if (major === '' || Number(major) > NEWEST || Number(minor) > (MINORS[major] ?? 0)) return null
	return `v${Math.max(OLDEST, Number(major))}.0`
}

/** The version that answers calls whose path names none. */
export const DEFAULT_VERSION = `v${OLDEST}.0`

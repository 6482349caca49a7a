/** Newest version of the Graph API, and the oldest usable version. The oldest usable version answers calls of older ones. */
const NEWEST = 26
const OLDEST = 22

/** Highest minor version of the two major versions that had minor versions. */
const MINORS: Record<string, number> = { 2: 12, 3: 3 }

/** Returns the version that answers a call of `v25.0`, or null if such a version never existed. */
export function answeringVersion(name: string): string | null {
	const [, major = '', minor = ''] = /^v([1-9]\d?)\.(0|[1-9]\d?)$/.exec(name) ?? []
	if (major === '' || Number(major) > NEWEST || Number(minor) > (MINORS[major] ?? 0)) return null
	return `v${Math.max(OLDEST, Number(major))}.0`
}

/** Version that answers calls whose path contains no version. */
export const DEFAULT_VERSION = `v${OLDEST}.0`

const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/
const UNRELEASED = '## Unreleased\n'

/** Returns the reason why this version cannot be released, or null. `current` is the version in package.json. */
export function findReleaseProblem(
	changelog: string,
	{ version, current }: { version: string; current: string },
): string | null {
	if (!VERSION.test(version)) return 'Name the version, as in: npm run release -- 1.1.0'
	if (!isLater(version, current)) return `${version} is not later than ${current}, the version of package.json.`
	if (unreleasedOf(changelog) === '') return 'The section "Unreleased" of CHANGELOG.md is empty.'
	return null
}

/** Returns the changelog with the section "Unreleased" renamed to the new version, and a new empty section above it. */
export function releaseNotes(changelog: string, { version, today }: { version: string; today: string }): string {
	return changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version} - ${today}\n`)
}

function unreleasedOf(changelog: string): string {
	const [, rest = ''] = changelog.split(UNRELEASED)
	return (rest.split(/^## /m)[0] ?? '').trim()
}

function isLater(version: string, current: string): boolean {
	const [next = [], last = []] = [version, current].map((text) => text.split('.').map(Number))
	const at = next.findIndex((part, index) => part !== last[index])
	return at >= 0 && (next[at] ?? 0) > (last[at] ?? 0)
}

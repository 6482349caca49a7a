/** Values of the named parts of a path, decoded. */
export type PathParams = Record<string, string>

/**
 * Returns the values of the named parts of `path`, such as `:id`, when `pathname` matches it; otherwise null. Ignores
 * case and a slash at the end. The path `*` matches every address.
 */
export function matchPath(path: string, pathname: string): PathParams | null {
	if (path === '*') return {}
	const [wanted, actual] = [partsOf(path), partsOf(pathname)]
	if (wanted.length !== actual.length) return null
	const params: PathParams = {}
	for (const [index, part] of wanted.entries()) {
		const value = decoded(actual[index] ?? '')
		if (part.startsWith(':') && value) params[part.slice(1)] = value
		else if (part.toLowerCase() !== value.toLowerCase()) return null
	}
	return params
}

function partsOf(path: string): string[] {
	return (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

/** Returns URL parameters with changes applied; a parameter without a text is removed. */
export function withParams(old: URLSearchParams, changes: Readonly<Record<string, string | null | undefined>>) {
	const params = new URLSearchParams(old)
	for (const [name, text] of Object.entries(changes)) {
		if (text) params.set(name, text)
		else params.delete(name)
	}
	return params
}

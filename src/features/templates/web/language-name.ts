const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** "hi" is "Hindi (hi)"; a code that the browser does not know stays as it is. */
export function languageName(code: string): string {
	const tag = code.replace('_', '-')
	try {
		const name = names.of(tag)
		return name && name !== tag ? `${name} (${code})` : code
	} catch {
		return code
	}
}

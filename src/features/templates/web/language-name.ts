import { TEMPLATE_LANGUAGES } from '../languages.ts'

const NAMES = new Map(TEMPLATE_LANGUAGES.map(({ code, name }) => [code, name]))

/** Returns "Hindi (hi)" for "hi"; an unknown code is returned unchanged. */
export function languageName(code: string): string {
	const name = NAMES.get(code)
	return name ? `${name} (${code})` : code
}

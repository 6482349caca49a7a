import { TEMPLATE_LANGUAGES } from '../languages.ts'

const NAMES = new Map(TEMPLATE_LANGUAGES.map(({ code, name }) => [code, name]))

/** "Hindi (hi)" for "hi"; a code that Meta does not list is returned as it is. */
export function languageName(code: string): string {
	const name = NAMES.get(code)
	return name ? `${name} (${code})` : code
}

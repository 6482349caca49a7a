/**
 * Beginnings of the parts in which a semicolon ends no statement: comments, texts, quoted names and dollar-quoted
 * bodies. Nested comments and backslash escapes are not supported; no migration uses them.
 */
const PARTS = /--|\/\*|['";]|\$\w*\$/g

/** Splits a SQL file into its statements. */
export function splitStatements(text: string): string[] {
	const statements: string[] = []
	let from = 0
	/** The statement without its comments. */
	let code = ''
	let at = 0
	const end = (to: number) => {
		if (code.trim() !== '') statements.push(text.slice(from, to).trim())
		code = ''
		from = to + 1
	}
	for (const { 0: part, index } of text.matchAll(PARTS)) {
		// The match is inside the preceding part.
		if (index < at) continue
		code += text.slice(at, index)
		at = endOf(text, part, index)
		if (part === ';') end(index)
		else if (part !== '--' && part !== '/*') code += text.slice(index, at)
	}
	code += text.slice(at)
	end(text.length)
	return statements
}

/**
 * Returns the index at which the part ends that begins at `index` with `part`. A text with a doubled quote counts as
 * two texts; an unclosed part ends with the file.
 */
function endOf(text: string, part: string, index: number): number {
	if (part === ';') return index + 1
	const closing = part === '--' ? '\n' : part === '/*' ? '*/' : part
	const closed = text.indexOf(closing, index + part.length)
	return closed < 0 ? text.length : closed + (part === '--' ? 0 : closing.length)
}

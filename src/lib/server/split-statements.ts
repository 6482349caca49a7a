/**
 * Where a semicolon ends no statement: comments, quoted text, quoted names, and bodies between dollar quotes. Not read are
 * comments within comments and quotes escaped by a backslash, which our migrations do without.
 */
const PARTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g

/** Splits a SQL file into its statements. */
export function splitStatements(text: string): string[] {
	const statements: string[] = []
	let from = 0
	for (const { 0: part, index } of text.matchAll(PARTS)) {
		if (part !== ';') continue
		statements.push(text.slice(from, index).trim())
		from = index + 1
	}
	statements.push(text.slice(from).trim())
	return statements.filter((statement) => statement.replaceAll(COMMENTS, '').trim() !== '')
}

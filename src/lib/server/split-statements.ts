/** Where a semicolon ends no statement: comments, quoted text, quoted names, and bodies between dollar quotes. */
const PARTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** The single statements of a file of SQL, without what stands after the last semicolon but comments. */
export function splitStatements(text: string): string[] {
	const statements: string[] = []
	let from = 0
	for (const { 0: part, index } of text.matchAll(PARTS)) {
		if (part !== ';') continue
		statements.push(text.slice(from, index).trim())
		from = index + 1
	}
	const rest = text.slice(from).trim()
	if (rest.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '') statements.push(rest)
	return statements
}

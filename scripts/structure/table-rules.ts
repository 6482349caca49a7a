import { FEATURES, TABLES } from './features.ts'
import { isProduct, lineAt, type Problem, type Rule, type Source } from './source.ts'

const OWNED_BY = new Map(Object.entries(TABLES))
const SERVER_FILE = /^src\/(?:features\/([^/]+)|lib)\/server\//
/** Matches a file with SQL. In other files a sentence may contain "from" or "into" before a word that is also a table. */
const HOLDS_SQL = /\b(?:sql|tx|db)\s*(?:<[^`;]*>)?\s*`|\bverbatim\(/
const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/g
/** Matches a keyword and the table names after it: several with commas, each with an optional alias. */
const NAMED =
	/\b(from|join|into|update|truncate|copy|using|table)\s+(?:only\s+)?(\w+(?:\s+(?:as\s+)?\w+)?(?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)*)/gi
const WRITTEN = /\b(?:insert\s+into|merge\s+into|update|delete\s+from|truncate|copy)\s+$/i

interface Mention {
	table: string
	index: number
	isWritten: boolean
}

function mentionsIn({ text }: Source): Mention[] {
	if (!HOLDS_SQL.test(text)) return []
	const bare = text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '))
	return [...bare.matchAll(NAMED)].flatMap((match) => {
		const start = match.index + match[0].length - (match[2] ?? '').length
		const before = bare.slice(Math.max(0, start - 30), start)
		return (match[2] ?? '').split(',').flatMap((part, place) => {
			const table = part.trim().split(/\s/)[0] ?? ''
			return OWNED_BY.has(table) ? [{ table, index: start, isWritten: place === 0 && WRITTEN.test(before) }] : []
		})
	})
}

/** Returns the feature, or `lib`, that a server file belongs to; undefined for other files. */
function featureOf(file: Source): string | undefined {
	const match = isProduct(file) ? SERVER_FILE.exec(file.path) : null
	return match ? (match[1] ?? 'lib') : undefined
}

const tablesAreReadDownward: Rule = (file) => {
	const feature = featureOf(file)
	if (feature === undefined) return []
	return mentionsIn(file).flatMap(({ table, index, isWritten }): Problem[] => {
		const owner = OWNED_BY.get(table) ?? ''
		const at = { path: file.path, line: lineAt(file.text, index) }
		if (isWritten && feature !== owner)
			return [{ ...at, message: `Only ${owner} writes ${table}: call a function of it.` }]
		if (isWritten || FEATURES.indexOf(owner) <= FEATURES.indexOf(feature)) return []
		const message = `${feature} may only read its own tables and those of features before it, and ${table} is of ${owner}: move the query there or above, or let src/app pass in what this needs.`
		return [{ ...at, message }]
	})
}

/** Reports tables without an owner, and owners of tables that do not exist. */
export function unownedTables(files: Source[]): Problem[] {
	const schema = files.find(({ path }) => path === 'db/schema.sql')
	if (!schema) return []
	const created = [...schema.text.matchAll(/^create (?:unlogged )?table (\w+)/gim)]
	const unowned = created
		.filter(([, table = '']) => !OWNED_BY.has(table))
		.map(({ index, 1: table }) => ({
			path: schema.path,
			line: lineAt(schema.text, index),
			message: `"${table}" has no owner: name the feature in scripts/structure/features.ts.`,
		}))
	const known = new Set(created.map(([, table]) => table))
	const stale = [...OWNED_BY.keys()]
		.filter((table) => !known.has(table))
		.map((table) => `The table "${table}" does not exist: remove it.`)
	return [...unowned, ...stale.map((message) => ({ path: 'scripts/structure/features.ts', line: 1, message }))]
}

export const tableRules = [tablesAreReadDownward]

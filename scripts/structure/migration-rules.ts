import { lineAt, type Rule } from './source.ts'

/** First migration that is checked. Older ones have been applied and must not change. */
const FIRST_CHECKED = '0010'

const TABLE_COMMAND = /^(?:create|alter)\s+table\b[^;]*;/gim
const COMMANDS = { alter: /^alter/i, create: /^create/i }
const CONSTRAINT = /\b(?:primary\s+key|unique|check|references|foreign\s+key)\b/gi

/**
 * Commands that create triggers, except those of the audit trail: every machine holds that table whole, and its triggers read
 * only the row or statement.
 */
const TRIGGER_COMMAND =
	/^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b(?!\s+admin_actions_(?:append_only|no_truncate)\b)/gim

/**
 * Reports commands that Citus rejects or supports only partly: migrations also run on distributed databases. CONTRIBUTING.md
 * lists the rules.
 */
const migrationsCanBeDistributed: Rule = ({ path, name, text }) => {
	if (!/^db\/migrations\/.*\.sql$/.test(path) || name < FIRST_CHECKED) return []
	const bare = text.replaceAll(/--.*$/gm, (comment) => ' '.repeat(comment.length))
	const tables = [...bare.matchAll(TABLE_COMMAND)].flatMap((match) =>
		problemsIn(match[0]).map((message) => ({ path, line: lineAt(text, match.index), message })),
	)
	const triggers = [...bare.matchAll(TRIGGER_COMMAND)].map((match) => ({
		path,
		line: lineAt(text, match.index),
		message: 'Distributed tables take no triggers: write what it would do into the statements.',
	}))
	return [...tables, ...triggers]
}

function problemsIn(command: string): string[] {
	const problems: string[] = []
	const parts = topLevelParts(command)
	if (COMMANDS.alter.test(command) && parts.length > 1)
		problems.push('One action for each ALTER TABLE: a distributed table takes them one by one.')
	if (COMMANDS.alter.test(command) && /\badd\s+column\b/i.test(command) && command.match(CONSTRAINT))
		problems.push('ADD COLUMN without a constraint: add that by ADD CONSTRAINT with a name, in a command of its own.')
	else if (parts.some((part) => countOf(part, CONSTRAINT) > countOf(part, /\bconstraint\s+\w+/gi) + inner(part)))
		problems.push('Give each constraint a name, so that a later migration can change it on every machine.')
	return problems
}

/** Returns the number of constraints that are counted twice: FOREIGN KEY and its REFERENCES are one constraint. */
function inner(part: string): number {
	return countOf(part, /\bforeign\s+key\b/gi)
}

function countOf(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0
}

/** Splits a command at commas outside parentheses; of CREATE TABLE, only the part within its outer parentheses. */
function topLevelParts(command: string): string[] {
	const isCreate = COMMANDS.create.test(command)
	const body = isCreate ? command.slice(command.indexOf('(') + 1, command.lastIndexOf(')')) : command
	let depth = 0
	const parts = ['']
	for (const letter of body) {
		if (letter === '(') depth++
		if (letter === ')') depth--
		if (letter === ',' && depth === 0) parts.push('')
		else parts.push(`${parts.pop() ?? ''}${letter}`)
	}
	return parts
}

/**
 * First migration that must expand only: from here on the previous release runs during a migration and for a moment afterwards.
 */
const FIRST_BESIDE_ANOTHER = '0036'

/** Comment that names the release which stopped using a column or table, after which the migration may remove it. */
const CONTRACT = /^-- contract: \S/m
const TAKES_AWAY =
	/\b(?:drop\s+(?:table|column|schema|view)|rename\s+(?:to|column)|alter\s+column\s+\w+\s+(?:set\s+data\s+)?type|alter\s+column\s+\w+\s+drop\s+default)\b/gi
const NOT_NULL = /\balter\s+column\s+(\w+)\s+set\s+not\s+null\b/gi

/**
 * Reports a migration that removes or renames something which the previous release uses. Such a step belongs into a later
 * migration with a `contract:` comment.
 */
const migrationsExpand: Rule = ({ path, name, text }) => {
	if (!/^db\/migrations\/.*\.sql$/.test(path) || name < FIRST_BESIDE_ANOTHER || CONTRACT.test(text)) return []
	const bare = text.replaceAll(/--.*$/gm, (comment) => ' '.repeat(comment.length))
	const hasDefault = (column: string) =>
		new RegExp(`\\balter\\s+column\\s+${column}\\s+set\\s+default\\b`, 'i').test(bare)
	const refusals = [...bare.matchAll(NOT_NULL)].filter(([, column = '']) => !hasDefault(column))
	return [...bare.matchAll(TAKES_AWAY), ...refusals].map(({ index }) => ({
		path,
		line: lineAt(text, index),
		message:
			'The release before reads and writes this, and runs beside the migration: take it away one release later, and say "-- contract: " with the release that does without it.',
	}))
}

export const migrationRules = [migrationsCanBeDistributed, migrationsExpand]

import { findAll, isInFeatureServer, isProduct, lineAt, type Problem, type Rule, type Source } from './source.ts'

const STATEMENT = /\b(?:select|insert\s+into|update|delete\s+from|merge\s+into|truncate|copy)\b/i
const TAGGED = /\b(?:sql|tx|db)\s*(?:<[^`;]*>)?\s*`([^`]*)`/g
const UNSAFE = /\b(?:sql|tx|db)\s*\.\s*(?:unsafe|file)\s*[(<]/g
const QUERY_FILE = /^(?:queries|ledger|[a-z0-9-]+-queries)\.ts$/

const mayHoldSql = (file: Source) =>
	!isProduct(file) || file.path.startsWith('src/lib/server/') || (isInFeatureServer(file) && QUERY_FILE.test(file.name))

const sqlInItsPlace: Rule = (file) => {
	if (mayHoldSql(file)) return []
	const message =
		'SQL outside of queries: move it to the queries.ts (or ledger.ts, …-queries.ts) of the feature and call that.'
	const templates = [...file.text.matchAll(TAGGED)].filter((match) => STATEMENT.test(match[1] ?? ''))
	const found = templates.map((match) => ({ path: file.path, line: lineAt(file.text, match.index), message }))
	return [...found, ...findAll(file, UNSAFE, message)]
}

const onlyTheLedgerWritesMoney: Rule = (file) => {
	if (!isProduct(file) || file.name === 'ledger.ts') return []
	const write =
		/\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:wallets|ledger_entries|statement_lines)\b/gi
	return findAll(
		file,
		write,
		'Only ledger.ts of the feature wallet writes wallet tables: post, hold or release through the wallet service.',
	)
}

const ORDERS = 'src/features/delivery/server/orders/'

const onlyOrdersInsertMessages: Rule = (file) => {
	if (!isProduct(file) || file.path.startsWith(ORDERS)) return []
	const insert = /\b(?:insert\s+into|merge\s+into|copy)\s+(?:campaigns|campaign_messages)\b/gi
	return findAll(
		file,
		insert,
		'Only the queries of delivery/server/orders insert campaigns and their messages: plan an order and call writeOrder.',
	)
}

// Accounts, users and sessions are read before the account is known, and every machine of a cluster holds these tables whole.
const FEATURES_WITHOUT_OWNER = /^src\/features\/(?:auth|users)\//

const queriesNameTheirAccount: Rule = (file) => {
	const isQueryFile = isInFeatureServer(file) && /(?:^|-)queries\.ts$/.test(file.name)
	if (!isQueryFile || FEATURES_WITHOUT_OWNER.test(file.path)) return []
	const declared =
		/^export (?:async )?(?:function\*? (\w+)(?:<[^(]*>)?\(|const (\w+) = (?:async )?(?:function|\())([^{]*)/gm
	return [...file.text.matchAll(declared)].flatMap((match) => {
		const [, functionName, constName, parameters = ''] = match
		const problem = wrongWith(functionName ?? constName ?? '', parameters)
		return problem ? [{ path: file.path, line: lineAt(file.text, match.index), message: problem }] : []
	})
}

function wrongWith(name: string, parameters: string) {
	if (!/^\s*sql: (?:Sql|Db)\b/.test(parameters))
		return `${name}: a query takes "sql: Sql" first, so that it runs in any transaction.`
	if (name.includes('AllAccounts') || /^\s*sql: \w+,\s*accountId: AccountId\b/.test(parameters)) return undefined
	return `${name}: a query takes "accountId: AccountId" second. One that crosses accounts says AllAccounts in its name.`
}

const onlyTheGateMintsAccounts: Rule = (file) => {
	const isGate = file.path.startsWith('src/features/auth/server/')
	// channels.ts writes the account id of a NOTIFY itself.
	const isChannel = file.path === 'src/lib/server/db/channels/channels.ts'
	if (!isProduct(file) || isGate || isChannel) return []
	const message =
		'Only the session gate (features/auth/server) and AllAccounts queries make an AccountId: take it from the session or the query.'
	return findAll(file, /\bas\s+(?:unknown\s+as\s+)?AccountId\b|<AccountId>\s*\w/g, message).filter(
		(problem) => !isInAllAccountsQuery(file, problem),
	)
}

function isInAllAccountsQuery(file: Source, { line }: Problem) {
	if (!isInFeatureServer(file) || !QUERY_FILE.test(file.name)) return false
	const above = file.text.split('\n').slice(0, line)
	const start = above.findLast((text) => /^(?:export )?(?:async )?function\b/.test(text))
	return start !== undefined && /\bfunction\*? \w*AllAccounts/.test(start)
}

// Reports NOTIFY outside db.ts, which sends each NOTIFY in a separate transaction: a commit with NOTIFY takes a lock
// that all such commits of the server share.
const onlyTheClientNotifies: Rule = (file) => {
	if (!isProduct(file) || file.path === 'src/lib/server/db.ts') return []
	const message =
		'Only db.ts sends NOTIFY: say sql.notify(channel, payload), which is sent once the transaction has committed.'
	return findAll(file, /\bpg_notify\b|[`'"]\s*notify\s+\w|;\s*notify\s+\w/gi, message)
}

/**
 * Reports a condition in a subselect over the table of a DELETE or UPDATE that is missing on the row itself. A command that
 * waits for a row's lock checks the row's own conditions again but not those of the subselect, unless the subselect locks its
 * rows.
 */
const conditionsStandOnTheRow: Rule = (file) => {
	if (!isProduct(file) || !mayHoldSql(file)) return []
	return [...file.text.matchAll(/\b(?:delete\s+from|update)\s+(\w+)\b(?!\s*\()/gi)].flatMap((match) => {
		const [, table = ''] = match
		const statement = statementAround(file.text, match.index)
		const missing = subselectsOf(statement).flatMap(({ text, around }) =>
			conditionsOn(table, text).filter((condition) => !flat(around).includes(condition)),
		)
		if (missing.length === 0) return []
		const message = `After a wait for a lock, "${missing[0]}" of the subselect is not asked again: say it of the row of ${table}, too, or lock the rows in the subselect.`
		return [{ path: file.path, line: lineAt(file.text, match.index), message }]
	})
}

/** Returns the template literal around a place, or the innermost one if several are nested. */
function statementAround(text: string, place: number): string {
	const start = text.lastIndexOf('`', place) + 1
	let depth = 0
	for (let at = place; at < text.length; at++) {
		if (text[at] === '`' && depth === 0) return text.slice(start, at)
		if (text[at] === '{' && (depth > 0 || text[at - 1] === '$')) depth++
		else if (text[at] === '}' && depth > 0) depth--
	}
	return text.slice(start)
}

/** Returns the outermost subselects of a statement, each with the rest of the statement. */
function subselectsOf(statement: string): { text: string; around: string }[] {
	let readTo = 0
	return [...statement.matchAll(/\(\s*select\b/gi)].flatMap(({ index }) => {
		if (index < readTo) return []
		readTo = closingOf(statement, index)
		const around = `${statement.slice(0, index)}${statement.slice(readTo)}`
		return [{ text: statement.slice(index + 1, readTo), around }]
	})
}

function closingOf(text: string, opening: number): number {
	let depth = 0
	for (let at = opening; at < text.length; at++) {
		if (text[at] === '(') depth++
		else if (text[at] === ')' && --depth === 0) return at
	}
	return text.length
}

/**
 * Returns the conditions of a subselect over the table, except those on ids, which never change. Returns none for a subselect
 * that locks its rows.
 */
function conditionsOn(table: string, subselect: string): string[] {
	const isOverTable = new RegExp(
		`^select\\b[^(]*?\\bfrom\\s+(?:${table}\\b|\\(select\\b[^()]*\\bfrom\\s+${table}\\b)`,
		'i',
	)
	const text = subselect.trim()
	if (!isOverTable.test(text) || /\bfor\s+(?:no\s+key\s+)?update\b/i.test(text)) return []
	const [, where = ''] = splitOutside(text, 'where')
	const [asked = ''] = splitOutside(where, 'order by|limit')
	return splitOutside(asked, 'and')
		.map(flat)
		.filter((one) => one !== '' && !/^(?:(?:\w+_)?id\b|\()/.test(one))
}

/** Splits a text at words outside its parentheses. */
function splitOutside(text: string, words: string): string[] {
	const isSeparator = new RegExp(`^(?:${words})$`, 'i')
	const parts = ['']
	let depth = 0
	for (const word of text.split(new RegExp(`(\\b(?:${words})\\b|[()])`, 'i'))) {
		if (word === '(') depth++
		if (word === ')') depth--
		if (depth === 0 && isSeparator.test(word)) parts.push('')
		else parts.push(`${parts.pop()}${word}`)
	}
	return parts
}

/** Removes line breaks and table names, so that equal conditions have equal texts. */
const flat = (text: string) =>
	text
		.replace(/\s+/g, ' ')
		.replace(/\b[a-z]\./g, '')
		.trim()

export const sqlRules = [
	conditionsStandOnTheRow,
	onlyTheClientNotifies,
	sqlInItsPlace,
	onlyTheLedgerWritesMoney,
	onlyOrdersInsertMessages,
	queriesNameTheirAccount,
	onlyTheGateMintsAccounts,
]

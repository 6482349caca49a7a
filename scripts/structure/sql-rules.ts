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

// Accounts, users and sessions are read before anybody knows the owner, and stand on every machine of a cluster.
const FEATURES_WITHOUT_OWNER = /^src\/features\/(?:auth|users)\//

const queriesNameTheirOwner: Rule = (file) => {
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
	if (name.includes('AllOwners') || /^\s*sql: \w+,\s*owner(?:Id)?: OwnerId\b/.test(parameters)) return undefined
	return `${name}: a query takes "owner: OwnerId" second. One that crosses owners says AllOwners in its name.`
}

const onlyTheGateMintsOwners: Rule = (file) => {
	const isGate = file.path.startsWith('src/features/auth/server/')
	// The owner in a NOTIFY payload comes from our own publisher.
	const isChannel = file.path === 'src/lib/server/channels.ts'
	if (!isProduct(file) || isGate || isChannel) return []
	const message =
		'Only the session gate (features/auth/server) and AllOwners queries make an OwnerId: take it from the session or the query.'
	return findAll(file, /\bas\s+(?:unknown\s+as\s+)?OwnerId\b|<OwnerId>\s*\w/g, message).filter(
		(problem) => !isInAllOwnersQuery(file, problem),
	)
}

function isInAllOwnersQuery(file: Source, { line }: Problem) {
	if (!isInFeatureServer(file) || !QUERY_FILE.test(file.name)) return false
	const above = file.text.split('\n').slice(0, line)
	const start = above.findLast((text) => /^(?:export )?(?:async )?function\b/.test(text))
	return start !== undefined && /\bfunction\*? \w*AllOwners/.test(start)
}

// A commit with NOTIFY takes a lock that all such commits of the server share, so NOTIFY gets a transaction of its own.
const onlyTheClientNotifies: Rule = (file) => {
	if (!isProduct(file) || file.path === 'src/lib/server/db.ts') return []
	const message =
		'Only db.ts sends NOTIFY: say sql.notify(channel, payload), which is sent once the transaction has committed.'
	return findAll(file, /\bpg_notify\b|[`'"]\s*notify\s+\w|;\s*notify\s+\w/gi, message)
}

export const sqlRules = [
	onlyTheClientNotifies,
	sqlInItsPlace,
	onlyTheLedgerWritesMoney,
	queriesNameTheirOwner,
	onlyTheGateMintsOwners,
]

import { readdirSync, readFileSync } from 'node:fs'
import { Client, type ClientBase } from 'pg'
import { atom, nodesOf, nodesWithin, parseTree, type Tree, type TreeNode } from './parse-tree.ts'

/** Matches a statement that writes rows. Nearly all refusals of Citus concern these. */
const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+\w/i
/** PostgreSQL's numbers of commands, and of kinds of range table entries. */
const [UPDATE, INSERT, DELETE] = ['2', '3', '4']
const [TABLE, SUBQUERY] = ['0', '1']
/** Fields with the function that a node calls, and with the type of an expression. */
const FUNCTION_FIELDS = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid']
const TYPE_FIELD = /^(?:var|const|param|funcresult|opresult|result|case|coalesce|minmax)type$/

/** Tables of a cluster: those of db/citus.sql. The coordinator alone has the others, and refuses nothing there. */
const CITUS_TABLES = [
	...readFileSync(new URL('../../db/citus.sql', import.meta.url), 'utf8').matchAll(/_table\('(\w+)'/g),
].map(([, table = '']) => table)

/** Last migration with a statement that Citus refuses. Migrations must not change once they are applied. */
const LAST_REFUSED = '0070_folded_search.sql'
const MIGRATIONS = new URL('../../db/migrations/', import.meta.url)
const oldMigrations = readdirSync(MIGRATIONS)
	.filter((name) => name <= LAST_REFUSED)
	.map((name) => readFileSync(new URL(name, MIGRATIONS), 'utf8'))
	.join('\n')

interface Catalogue {
	/** Ids of the tables of a cluster. */
	tables: ReadonlySet<string>
	/** Ids of functions that are not IMMUTABLE, with `s` for STABLE and `v` for VOLATILE. */
	mutable: ReadonlyMap<string, string>
	/** Ids of types whose conversion to or from text depends on the session, such as times with a time zone. */
	mutableTypes: ReadonlySet<string>
}

const seen = new Set<string>()
const unchecked = new Set<string>()

/** Records each statement of this process that writes rows, for `takeWrites`. */
export function recordWrites(): void {
	const query = Client.prototype.query as (...args: unknown[]) => unknown
	Client.prototype.query = function (this: Client, ...args: unknown[]) {
		const [first] = args
		const text = typeof first === 'string' ? first : (first as { text?: unknown } | undefined)?.text
		if (typeof text === 'string' && !seen.has(text)) {
			seen.add(text)
			if (WRITES.test(text) && !oldMigrations.includes(text)) unchecked.add(text)
		}
		return query.apply(this, args)
	} as typeof Client.prototype.query
}

/** Returns the statements recorded since the last call. Returns none twice in a process. */
export function takeWrites(): string[] {
	const texts = [...unchecked]
	unchecked.clear()
	return texts
}

/**
 * Returns the statements that Citus refuses, each with the reason, as a server without Citus sees them. `url` is that of a
 * migrated database.
 */
export async function findRefused(url: string, texts: readonly string[]): Promise<string[]> {
	if (texts.length === 0) return []
	const client = new Client(url)
	await client.connect()
	try {
		const catalogue = await readCatalogue(client)
		const refused: string[] = []
		for (const text of texts) {
			const tree = await treeOf(client, text)
			for (const reason of tree === null ? [] : refusalsOf(tree, catalogue)) refused.push(`${reason}: ${text}`)
		}
		return refused
	} finally {
		await client.end()
	}
}

async function readCatalogue(client: ClientBase): Promise<Catalogue> {
	const idsOf = async (text: string, values: unknown[] = []) => {
		const { rows } = await client.query<{ id: string; kind: string }>(text, values)
		return new Map(rows.map(({ id, kind }) => [id, kind]))
	}
	// Functions in SQL, such as text || integer, are replaced by their body before Citus looks at them.
	const mutable = await idsOf(`
		select p.oid::text as id, provolatile as kind from pg_proc p join pg_language l on l.oid = prolang
		where provolatile <> 'i' and lanname <> 'sql'
	`)
	const types = await idsOf(`
		select t.oid::text as id, typtype as kind from pg_type t
		where exists (select from pg_proc p where p.oid in (typinput, typoutput) and provolatile <> 'i')
	`)
	const tables = await idsOf(`select oid::text as id, relkind as kind from pg_class where relname = any($1)`, [
		CITUS_TABLES,
	])
	return { tables: new Set(tables.keys()), mutable, mutableTypes: new Set(types.keys()) }
}

/** Returns the parse tree of a statement, which PostgreSQL reports as a notice; null for a text that it cannot prepare. */
async function treeOf(client: ClientBase, text: string): Promise<Tree | null> {
	let tree: string | undefined
	const onNotice = ({ message, detail }: { message: string | undefined; detail: string | undefined }) => {
		if (message?.startsWith('parse tree')) tree = detail
	}
	// Only a superuser may keep the trees out of the server's log.
	await client.query(`
		begin; select set_config('log_min_messages', 'panic', true) from pg_roles where rolname = current_user and rolsuper;
		set local client_min_messages = log; set local debug_pretty_print = off; set local debug_print_parse = on
	`)
	client.on('notice', onNotice)
	const isPrepared = await client.query(`prepare written as ${text}`).then(
		() => true,
		() => false,
	)
	client.off('notice', onNotice)
	await client.query(isPrepared ? 'deallocate written; rollback' : 'rollback')
	return isPrepared && tree !== undefined ? parseTree(tree) : null
}

/** Returns the reasons for which Citus refuses a statement, by the rules of its multi_router_planner.c. */
function refusalsOf(tree: Tree, catalogue: Catalogue): string[] {
	const writes = nodesWithin(tree).filter((node) => {
		const table = nodesOf(node, 'rtable')[Number(atom(node, 'resultRelation')) - 1]
		return table && atom(table, 'rtekind') === TABLE && catalogue.tables.has(atom(table, 'relid'))
	})
	return [...new Set(writes.flatMap((write) => refusalsOfWrite(write, catalogue)))]
}

function refusalsOfWrite(write: TreeNode, catalogue: Catalogue): string[] {
	const command = atom(write, 'commandType')
	const isMutable = (tree: Tree) => nodesWithin(tree, isQuery).some((node) => volatilityOf(node, catalogue) !== 'i')
	const reasons: string[] = []
	const conflicts = nodesOf(write, 'onConflict')
	const changed = conflicts.flatMap(({ fields }) => [
		...(fields.get('onConflictSet') ?? []),
		...(fields.get('onConflictWhere') ?? []),
	])
	if (isMutable(changed)) reasons.push('a function that is not IMMUTABLE in ON CONFLICT')
	if (nodesWithin(changed, isQuery).some(isCaseOfValue)) reasons.push('CASE x WHEN in ON CONFLICT')
	const isFromSelect = nodesOf(write, 'rtable').some((entry) => atom(entry, 'rtekind') === SUBQUERY)
	if (command === INSERT && isFromSelect) return reasons
	if (command === INSERT && atom(write, 'hasSubLinks') === 'true') reasons.push('a subquery in an INSERT of VALUES')
	if (isMutable(write.fields.get('returningList') ?? [])) reasons.push('a function that is not IMMUTABLE in RETURNING')
	if (command === UPDATE || command === DELETE) {
		const [joined] = nodesOf(write, 'jointree')
		const targets = nodesOf(write, 'targetList').filter((target) => atom(target, 'resjunk') === 'false')
		reasons.push(...refusalsOfExpression([targets, joined?.fields.get('quals') ?? []], catalogue))
	}
	return reasons
}

const isQuery = ({ kind }: TreeNode) => kind === 'QUERY'
const isChoice = ({ kind }: TreeNode) => kind === 'CASEEXPR' || kind === 'COALESCEEXPR'
/** Returns true for `case x when`, whose `x` Citus loses on the way to the machine. */
const isCaseOfValue = (node: TreeNode) => node.kind === 'CASEEXPR' && nodesOf(node, 'arg').length > 0

/** Returns the reasons for which Citus refuses an expression of SET or WHERE. Subqueries are planned before it looks. */
function refusalsOfExpression(tree: Tree, catalogue: Catalogue): string[] {
	const nodes = nodesWithin(tree, isQuery)
	const isOfColumn = (node: TreeNode) => nodesWithin(node, isQuery).some(({ kind }) => kind === 'VAR')
	const within = nodes.filter(isChoice).flatMap((node) => nodesWithin(node, isQuery))
	const reasons = nodes.some(isCaseOfValue) ? ['CASE x WHEN in UPDATE or DELETE'] : []
	if (within.some((node) => volatilityOf(node, catalogue) !== 'i'))
		reasons.push('a function that is not IMMUTABLE in CASE or COALESCE')
	for (const node of nodes) {
		const volatility = volatilityOf(node, catalogue)
		if (volatility === 'v') reasons.push('a VOLATILE function in UPDATE or DELETE')
		if (volatility === 's' && isOfColumn(node)) reasons.push('a STABLE function of a column in UPDATE or DELETE')
	}
	return reasons
}

/** Returns `i`, `s` or `v`, as pg_proc does, for the function that a node calls itself. */
function volatilityOf(node: TreeNode, { mutable, mutableTypes }: Catalogue): string {
	if (node.kind === 'SQLVALUEFUNCTION') return 's'
	if (node.kind === 'NEXTVALUEEXPR') return 'v'
	if (node.kind === 'COERCEVIAIO') {
		const types = [node, ...nodesOf(node, 'arg')].flatMap(({ fields }) =>
			[...fields].filter(([name]) => TYPE_FIELD.test(name)).map(([, [type]]) => type),
		)
		return types.some((type) => typeof type === 'string' && mutableTypes.has(type)) ? 's' : 'i'
	}
	const called = FUNCTION_FIELDS.map((field) => mutable.get(atom(node, field)))
	return called.find((volatility) => volatility !== undefined) ?? 'i'
}

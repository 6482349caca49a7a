/** A node of PostgreSQL's parse tree, such as OPEXPR. A field holds the texts, nodes and lists that follow its name. */
export interface TreeNode {
	kind: string
	fields: ReadonlyMap<string, readonly Tree[]>
}
export type Tree = string | TreeNode | readonly Tree[]

/** Matches a bracket, or a text in which the special letters are escaped. */
const TOKEN = /[(){}]|(?:\\.|[^\s(){}\\])+/gs

/** Reads a tree that PostgreSQL has written under `debug_print_parse`. */
export function parseTree(text: string): Tree {
	const tokens = text.match(TOKEN) ?? []
	let at = 0
	const next = () => tokens[at++] ?? ''
	const read = (): Tree => {
		const token = next()
		if (token === '{') return readNode(next())
		return token === '(' ? readUntil((end) => end === ')') : token
	}
	const readUntil = (isEnd: (token: string | undefined) => boolean): Tree[] => {
		const found: Tree[] = []
		while (at < tokens.length && !isEnd(tokens[at])) found.push(read())
		if (tokens[at] === ')') at++
		return found
	}
	const readNode = (kind: string): TreeNode => {
		const fields = new Map<string, readonly Tree[]>()
		while (tokens[at]?.startsWith(':')) {
			const name = next().slice(1)
			fields.set(
				name,
				readUntil((token) => token === '}' || token?.startsWith(':') === true),
			)
		}
		at++
		return { kind, fields }
	}
	return read()
}

const isNode = (tree: Tree | undefined): tree is TreeNode => typeof tree === 'object' && !Array.isArray(tree)

/** Returns the text of a field; empty if the field holds none. */
export function atom(node: TreeNode, field: string): string {
	const [value] = node.fields.get(field) ?? []
	return typeof value === 'string' ? value : ''
}

/** Returns the nodes in a field, or in the list that the field holds. */
export function nodesOf(node: TreeNode, field: string): TreeNode[] {
	return (node.fields.get(field) ?? []).flat().filter(isNode)
}

/** Returns the nodes of a tree with those within them, except within the nodes for which `isClosed` returns true. */
export function nodesWithin(tree: Tree, isClosed: (node: TreeNode) => boolean = () => false): TreeNode[] {
	if (typeof tree === 'string') return []
	if (!isNode(tree)) return tree.flatMap((each) => nodesWithin(each, isClosed))
	return isClosed(tree) ? [tree] : [tree, ...nodesWithin([...tree.fields.values()], isClosed)]
}

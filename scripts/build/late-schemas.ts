import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseAst, type Plugin } from 'vite'

/** Files that both sides share, such as the contracts. */
const SHARED_FILE = /\/src\/(?:features|lib)\/(?!(?:.*\/)?(?:server|web)\/)[^?]*\.ts$/
const HAS_SCHEMAS = /^import .* from '(?:zod\/mini|#lib\/fields\.ts)'$/m
/** Name of a schema, or of a function that returns one. */
const SCHEMA_NAME = /^(?:z|[A-Z]\w*[a-z]\w*)$/
/** Parts of an endpoint that only the server reads. */
const SERVER_PARTS = new Set(['params', 'query', 'body', 'summary', 'description', 'errors', 'maxBytes', 'effort'])
interface Node {
	type: string
	start: number
	end: number
	[key: string]: unknown
}

interface Statement {
	text: string
	isExported: boolean
	/** Names that the statement declares. */
	declared: string[]
	/** Names that the text uses, except in types. */
	used: Set<string>
}

/**
 * Splits each shared file with schemas in two: `?plain` has the statements that need no schema, and the endpoints without
 * their schemas; `?schemas` has the other statements. A screen calls endpoints, but only forms use schemas: with zod,
 * schemas would be an eighth of the bytes of a first visit.
 */
export function lateSchemas(): Plugin {
	return {
		name: 'late-schemas',
		apply: 'build',
		enforce: 'pre',
		load(id) {
			const [path = '', part] = id.split('?')
			if (!SHARED_FILE.test(path)) return undefined
			const code = readFileSync(path, 'utf8')
			if (!HAS_SCHEMAS.test(code)) return undefined
			const { plain, schemas } = splitSchemas(code, basename(path))
			const both = ['plain', 'schemas'].map((name) => `export * from './${basename(path)}?${name}'`).join('\n')
			return { code: part === 'plain' ? plain : part === 'schemas' ? schemas : both, moduleSideEffects: false }
		},
		transform(code, id) {
			const [found] = /\bschema: \w+\.\w+\.body\b/.exec(id.includes('/web/') ? code : '') ?? []
			if (found)
				this.error(`In the browser an endpoint has no schemas (${found}): export the schema, and import it by name.`)
		},
	}
}

/** Returns both parts of a shared file, which is TypeScript without its types at the top level. */
export function splitSchemas(code: string, file: string): { plain: string; schemas: string } {
	const body = (parseAst(code, { lang: 'ts' }) as unknown as { body: Node[] }).body.filter((node) => !isType(node))
	const imports = body.filter(({ type }) => type === 'ImportDeclaration')
	const statements = body.filter((node) => !imports.includes(node)).map((node) => statementOf(code, node))
	const late = new Set(
		imports
			.flatMap(specifiersOf)
			.map(localName)
			.filter((name) => SCHEMA_NAME.test(name)),
	)
	const isLate = ({ used }: Statement) => !used.isDisjointFrom(late)
	for (let size = -1; size < late.size;) {
		size = late.size
		for (const name of statements.filter(isLate).flatMap(({ declared }) => declared)) late.add(name)
	}
	const { plain = [], schemas = [] } = Object.groupBy(statements, (one) => (isLate(one) ? 'schemas' : 'plain'))
	const needed = new Set(schemas.flatMap(({ used }) => [...used]))
	const hidden = plain.filter(({ isExported }) => !isExported).flatMap(({ declared }) => declared)
	const shared = plain.flatMap(({ declared }) => declared).filter((name) => needed.has(name))
	const textOf = (part: Statement[]) => [...importsOf(part, imports), ...part.map(({ text }) => text)]
	return {
		plain: [...textOf(plain), `export { ${hidden.filter((name) => needed.has(name)).join(', ')} }`].join('\n'),
		schemas: [`import { ${shared.join(', ')} } from './${file}?plain'`, ...textOf(schemas)].join('\n'),
	}
}

/** Returns true for statements that declare, import or export only types. */
function isType(node: Node): boolean {
	const declaration = (node['declaration'] ?? node) as Node
	return declaration.type.startsWith('TS') || node['importKind'] === 'type' || node['exportKind'] === 'type'
}

function statementOf(code: string, node: Node): Statement {
	const declaration = (node['declaration'] ?? node) as Node
	const shapes = new Map<Node, Node[]>()
	const used = new Set<string>()
	const visit = (inner: Node) => {
		const shape = shapeIn(inner)
		if (shape)
			shapes.set(
				shape,
				(shape['properties'] as Node[]).filter((part) => !SERVER_PARTS.has(keyOf(part))),
			)
		if (inner.type === 'Identifier') used.add(inner['name'] as string)
		for (const child of shapes.get(inner)?.filter((part) => !isMarker(part)) ?? childrenOf(inner)) visit(child)
	}
	visit(declaration)
	const edits = [...shapes].map(([shape, parts]) => {
		const texts = parts.map((part) => (isMarker(part) ? `${keyOf(part)}: {}` : code.slice(part.start, part.end)))
		return { start: shape.start, end: shape.end, text: `{ ${texts.join(', ')} }` }
	})
	const names = ((declaration['declarations'] as Node[] | undefined) ?? [declaration]).map(({ id }) => id as Node)
	return {
		text: edited(code, node, edits),
		isExported: node !== declaration,
		declared: names.flatMap(namesIn),
		used,
	}
}

/** Returns the names that a declaration's name or pattern declares, as those of `const [MIN, MAX] = [1, 50]`. */
function namesIn(pattern: Node): string[] {
	return pattern.type === 'Identifier' ? [pattern['name'] as string] : childrenOf(pattern).flatMap(namesIn)
}

/** Returns the object of an endpoint's parts, or of parts that several endpoints share. */
function shapeIn({ type, callee, arguments: given, init }: Node): Node | undefined {
	const isEndpoint = type === 'CallExpression' && (callee as Node)['name'] === 'endpoint'
	const value = (isEndpoint ? (given as Node[])[1] : type === 'VariableDeclarator' ? init : undefined) as Node | null
	const shape = value?.type === 'TSAsExpression' ? (value['expression'] as Node) : value
	if (shape?.type !== 'ObjectExpression') return undefined
	return isEndpoint || (shape['properties'] as Node[]).some((part) => keyOf(part) === 'access') ? shape : undefined
}

/** Returns the key of an object's part; empty for a spread. */
function keyOf(part: Node): string {
	return part.type === 'Property' ? ((part['key'] as Node)['name'] as string) : ''
}

/** Returns true for a part of which the browser reads only that it is there: files, and an answer that is no file. */
function isMarker(part: Node): boolean {
	const { type, properties } = (part['value'] ?? part) as Node
	const isFile = type === 'ObjectExpression' && (properties as Node[]).some((inner) => keyOf(inner) === 'file')
	return keyOf(part) === 'files' || (keyOf(part) === 'response' && !isFile)
}

/** Returns the nodes within a node that are evaluated, without types and names of members. */
function childrenOf(node: Node): Node[] {
	const isNamed = node.type === 'Property' || node.type === 'MemberExpression'
	return Object.entries(node)
		.filter(([name]) => !(isNamed && !node['computed'] && (name === 'key' || name === 'property')))
		.flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
		.filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
		.filter(({ type, expression }) => !type.startsWith('TS') || expression)
}

/** Returns the text of a node with edits of parts of it, in their order. */
function edited(code: string, { start, end }: Node, edits: { start: number; end: number; text: string }[]): string {
	let text = ''
	let at = start
	for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
		text += code.slice(at, edit.start) + edit.text
		at = edit.end
	}
	return text + code.slice(at, end)
}

function specifiersOf(node: Node): Node[] {
	return (node['specifiers'] as Node[]).filter(({ importKind }) => importKind !== 'type')
}

function localName(specifier: Node): string {
	return (specifier['local'] as Node)['name'] as string
}

/** Returns the imports of names that the statements use. */
function importsOf(statements: Statement[], imports: Node[]): string[] {
	const isUsed = (specifier: Node) => statements.some(({ used }) => used.has(localName(specifier)))
	return imports.flatMap((node) => {
		const from = (node['source'] as Node)['raw'] as string
		return specifiersOf(node)
			.filter(isUsed)
			.map((specifier) => {
				const name = localName(specifier)
				const imported = (specifier['imported'] as Node | undefined)?.['name'] as string | undefined
				return `import ${imported ? `{ ${imported} as ${name} }` : `* as ${name}`} from ${from}`
			})
	})
}

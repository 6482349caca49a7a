import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { getCallSites } from 'node:util'

/** A statement's rows, the number of affected rows, and PostgreSQL's command tag. */
export type Rows<T> = T & { count: number; command: string }

/** Query for the server: text with $1, $2 …, and a name when it is worth preparing. */
export interface QueryText {
	text: string
	values: unknown[]
	name?: string | undefined
	/** Calling function with file and line. */
	site?: string | undefined
}

type Run = (query: QueryText) => Promise<unknown>

/**
 * SQL with its values. Used as a value in another statement, alone or in an array, it becomes a part of the outer
 * statement; awaited, it runs.
 */
export class Statement<T extends readonly object[] = Record<string, unknown>[]> implements PromiseLike<Rows<T>> {
	readonly strings: readonly string[]
	readonly values: readonly unknown[]
	readonly #run: Run | undefined
	#running: Promise<Rows<T>> | undefined

	constructor(strings: readonly string[], values: readonly unknown[], run?: Run) {
		this.strings = strings
		this.values = values
		this.#run = run
		if (run) noteSite(strings)
	}

	// oxlint-disable-next-line unicorn/no-thenable -- a statement runs when it is awaited, and is a part of another when not
	then<A = Rows<T>, B = never>(
		onDone?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
		onError?: ((error: unknown) => B | PromiseLike<B>) | null,
	): Promise<A | B> {
		this.#running ??= this.#start()
		return this.#running.then(onDone, onError)
	}

	async #start(): Promise<Rows<T>> {
		if (!this.#run) throw new Error('This statement belongs to no connection')
		return (await this.#run(render(this))) as Rows<T>
	}

	catch<B>(onError: (error: unknown) => B | PromiseLike<B>): Promise<Rows<T> | B> {
		return this.then(null, onError)
	}

	finally(onEnd: () => void): Promise<Rows<T>> {
		return this.then().finally(onEnd)
	}
}

/** Returns a quoted SQL identifier. */
export function identifier(name: string): Statement {
	return new Statement([`"${name.replaceAll('"', '""')}"`], [])
}

/** Returns trusted SQL text, such as a sort order chosen from a list. Never pass user input. */
export function verbatim(text: string): Statement {
	return new Statement([text], [])
}

/** Joins parts of a statement with a trusted separator; empty for no parts. */
export function separated(parts: readonly Statement[], separator = ', '): Statement {
	if (parts.length === 0) return verbatim('')
	return new Statement(['', ...parts.slice(1).map(() => separator), ''], parts)
}

/** Number of distinct texts above which further ones count as built at run time, and are not prepared. */
const MAX_NAMES = 1000
const names = new Map<string, string>()

/** A part of a statement, independent of its row type. */
type Part = Pick<Statement, 'strings' | 'values'>

function render(statement: Part): QueryText {
	const values: unknown[] = []
	const text = write(statement, values)
	return { text, values, name: values.length > 0 ? nameOf(text) : undefined, site: sites.get(statement.strings) }
}

const sites = new WeakMap<readonly string[], string>()
/** Stack frames between here and the calling function: this function, the constructor and the tag. */
const FRAMES = 3

/** Records the caller once per template literal, since reading the stack is slow. */
function noteSite(strings: readonly string[]): void {
	if (sites.has(strings)) return
	const caller = getCallSites(FRAMES + 1)[FRAMES]
	if (caller) sites.set(strings, `${caller.functionName} (${basename(caller.scriptName)}:${caller.lineNumber})`)
}

function write(statement: Part, values: unknown[]): string {
	let text = statement.strings[0] ?? ''
	for (const [index, value] of statement.values.entries()) {
		if (value === undefined) throw new TypeError(`A value of this statement is undefined: ${text}…`)
		if (value instanceof Statement) text += write(value as Part, values)
		else if (Array.isArray(value) && value[0] instanceof Statement)
			text += value.map((part) => write(part as Part, values)).join('')
		else text += `$${values.push(toParameter(value))}`
		text += statement.strings[index + 1] ?? ''
	}
	return text
}

/**
 * Converts arrays of numbers and texts to PostgreSQL literals: pg is slow for the tens of thousands of values of a
 * batch.
 */
function toParameter(value: unknown): unknown {
	if (!Array.isArray(value)) return value
	if (isOfNumbers(value)) return `{${value.map((one) => one ?? 'NULL').join(',')}}`
	return isOfTexts(value) ? `{${value.map((one) => (one === null ? 'NULL' : quoted(one))).join(',')}}` : value
}

function isOfNumbers(value: readonly unknown[]): value is (number | null)[] {
	return value.every((one) => one === null || typeof one === 'number')
}

function isOfTexts(value: readonly unknown[]): value is (string | null)[] {
	return value.every((one) => one === null || typeof one === 'string')
}

function quoted(text: string): string {
	return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`
}

function nameOf(text: string): string | undefined {
	const known = names.get(text)
	if (known !== undefined || names.size >= MAX_NAMES) return known
	const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
	names.set(text, name)
	return name
}

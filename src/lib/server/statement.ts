import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { getCallSites } from 'node:util'

/** The rows of a statement, how many it touched, and PostgreSQL's word for what it did. */
export type Rows<T> = T & { count: number; command: string }

/** What is sent to the server: the text with $1, $2 …, and the name to prepare it by where it is worth that. */
export interface QueryText {
	text: string
	values: unknown[]
	name?: string | undefined
	/** The function that it stands in, with its file and line. */
	site?: string | undefined
}

type Run = (query: QueryText) => Promise<unknown>

/** SQL with its values. Inside another statement, alone or in an array, it is a part of that; awaited, it runs. */
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

/** A name put into SQL as such, with its quotes. */
export function identifier(name: string): Statement {
	return new Statement([`"${name.replaceAll('"', '""')}"`], [])
}

/** Text of our own put into SQL as it is, such as an order that was chosen from a list. Never what somebody typed. */
export function verbatim(text: string): Statement {
	return new Statement([text], [])
}

/** Parts of a statement one after the other, with text of our own between them; nothing where there are none. */
export function separated(parts: readonly Statement[], separator = ', '): Statement {
	if (parts.length === 0) return verbatim('')
	return new Statement(['', ...parts.slice(1).map(() => separator), ''], parts)
}

/** Statements of which more texts than this are seen are put together at run time, and are not worth preparing. */
const MAX_NAMES = 1000
const names = new Map<string, string>()

/** A part of a statement, whatever rows it would return. */
type Part = Pick<Statement, 'strings' | 'values'>

function render(statement: Part): QueryText {
	const values: unknown[] = []
	const text = write(statement, values)
	return { text, values, name: values.length > 0 ? nameOf(text) : undefined, site: sites.get(statement.strings) }
}

const sites = new WeakMap<readonly string[], string>()
/** This function, the constructor and the tag stand between here and the function that holds the statement. */
const FRAMES = 3

/** Once for each place in the source, as reading the stack takes a while. */
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

/** Numbers and texts are put together here, as pg takes long over each of them; a batch has tens of thousands. */
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

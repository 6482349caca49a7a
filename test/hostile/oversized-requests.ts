import * as z from 'zod/mini'
import type { Endpoint } from '#lib/endpoint.ts'
import { roleFor, validOf, type HostileRequest, type Random, type Shape } from './hostile-requests.ts'

const MEGABYTE = 1_000_000
/** Length of a text that fits into the body of a call without lists. */
const WITHIN_LIMIT = 90_000
const MANY = 10_000
const MAX_URL_TEXT = 10_000

/**
 * Start, repeated part and end of texts that patterns, normalisation and parsers may be slow on. An end that does not match
 * makes a pattern try again from every position before it.
 */
const PUMPS: readonly [string, string, string][] = [
	['a@', '.', '@'],
	['a@', 'b.', ' '],
	['{{', ' ', ''],
	['', '{{ ', ''],
	['', '{{a}}', ''],
	['', ' ', 'x'],
	['x', '\n', 'x'],
	['', '-', 'x'],
	['', '.', 'x'],
	['', '9', 'x'],
	['9', '0', '.'],
	['="', '9', ''],
	['', 'http://a.b/', ''],
	['', '*a ', ''],
	['', '```', ''],
	['', '[', ''],
	['', '{"a":', ''],
	// Half a surrogate pair, an emoji, a letter with a combining mark, and a ligature that becomes 18 letters.
	['', '\ud800', ''],
	['', '🙂', ''],
	['', 'e\u0301', ''],
	['', '\ufdfa', ''],
]

function pumped([start, unit, end]: (typeof PUMPS)[number], length: number): string {
	return start + unit.repeat(Math.ceil(length / unit.length)) + end
}

/** Placeholders in the JSON text for values that JSON.stringify could not write, or would escape. */
const DEEP = '@deep@'
const DEEP_JSON = '['.repeat(MEGABYTE / 2) + ']'.repeat(MEGABYTE / 2)

const NOISE = Uint8Array.from({ length: MEGABYTE }, (_, index) => (index * 2_654_435_761) >>> 24)
/** Contents and names of files. */
const HOSTILE_FILES: readonly [string | Uint8Array<ArrayBuffer>, string][] = [
	['x'.repeat(MEGABYTE), 'a.csv'],
	[`"${'a,"'.repeat(MEGABYTE / 3)}`, 'a.csv'],
	[','.repeat(MEGABYTE), 'a.csv'],
	['\n'.repeat(MEGABYTE), 'a.csv'],
	[`number\n${'9876543210\n'.repeat(MEGABYTE / 11)}`, 'a.csv'],
	[`number,name\n${`98765${'9'.repeat(30)},${'n'.repeat(500)}\n`.repeat(1000)}`, 'a.csv'],
	[NOISE, 'a.csv'],
	[NOISE, 'a.xlsx'],
	[`PK\u0003\u0004${'\0'.repeat(MEGABYTE)}`, 'a.xlsx'],
	[`PK\u0005\u0006${'\u00ff'.repeat(1000)}`, `${'a'.repeat(10_000)}.xlsx`],
	[`\u0089PNG\r\n\u001a\n${'\u00ff'.repeat(MEGABYTE)}`, `${'../'.repeat(3000)}.png`],
	[`%PDF-${'1 0 obj '.repeat(100_000)}`, `${'-'.repeat(50_000)}.pdf`],
]

type Change = (whole: Record<string, unknown>) => void
type Part = 'params' | 'query' | 'body'

/**
 * Yields one request for every text, list and object with any names of every endpoint: that value is oversized, the others have
 * their right size. A request is made when it is called, since making all of them takes longer than sending a few.
 */
export function* oversizedRequests(endpoints: readonly Endpoint[], random: Random): Generator<() => HostileRequest> {
	for (const endpoint of endpoints) {
		for (const part of ['params', 'query', 'body'] as const) {
			const shape = shapeOf(endpoint, part)
			for (const change of shape ? changesOf(shape, [], random) : [])
				yield () => requestWith(endpoint, random, { [part]: change })
		}
		if (endpoint.method === 'GET') yield () => requestWith(endpoint, random, { query: addNames(1000) })
		else yield* hostileBodies(endpoint, random)
	}
}

function* hostileBodies(endpoint: Endpoint, random: Random): Generator<() => HostileRequest> {
	yield () => requestWith(endpoint, random, { body: addNames(MANY) })
	yield () => requestWith(endpoint, random, { body: (whole) => Object.assign(whole, { deep: DEEP }) })
	const empty = requestWith(endpoint, random, {})
	const json = { 'content-type': 'application/json' }
	for (const body of [
		DEEP_JSON,
		'{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000),
		`{"contacts":${'['.repeat(45_000)}${']'.repeat(45_000)}}`,
		' '.repeat(MEGABYTE),
		`{${'"a":1,'.repeat(MANY)}"b":2}`,
		'[1,'.repeat(30_000),
	])
		yield () => ({ ...empty, headers: json, body })
	const { files } = endpoint
	if (!files) return
	for (const [bytes, filename] of HOSTILE_FILES)
		yield () => {
			const form = formOf(validParts(endpoint, random).body)
			for (const [name, { types = ['image/png'] }] of Object.entries(files))
				form.append(name, new File([bytes], filename, { type: random.pick(types) }))
			return { ...empty, headers: {}, body: form }
		}
	yield () => {
		const fields = new FormData()
		for (let index = 0; index < MANY; index++) fields.append(`f${index}`, 'x')
		return { ...empty, headers: {}, body: fields }
	}
}

function addNames(count: number): Change {
	return (whole) => {
		for (let index = 0; index < count; index++) whole[`n${index}`] = index
	}
}

/** Yields one change for each text, list and object with any names: its value becomes oversized. */
function* changesOf(shape: Shape, path: (string | number)[], random: Random): Generator<Change> {
	for (const option of shape.anyOf ?? []) yield* changesOf(option, path, random)
	if (shape.type === 'string' && !shape.enum) {
		for (const pump of PUMPS) {
			yield (whole) => put(whole, path, pumped(pump, WITHIN_LIMIT))
			yield (whole) => put(whole, path, pumped(pump, 1000))
		}
		yield (whole) => put(whole, path, pumped(random.pick(PUMPS), MEGABYTE))
	}
	if (shape.type === 'array') {
		const item = shape.items ?? {}
		yield (whole) =>
			put(
				whole,
				path,
				Array.from({ length: MANY }, () => validOf(item, random)),
			)
		yield (whole) =>
			put(
				whole,
				path,
				Array.from({ length: MANY }, () => []),
			)
		yield* changesOf(item, [...path, 0], random)
	}
	if (shape.type === 'object') {
		for (const [name, part] of Object.entries(shape.properties ?? {})) yield* changesOf(part, [...path, name], random)
		if (shape.additionalProperties) {
			yield (whole) => put(whole, path, entries(MANY, '{{a}}'))
			yield (whole) => put(whole, path, entries(200, pumped(['{{', ' ', ''], 1000)))
			yield* changesOf(shape.additionalProperties, [...path, 'var1'], random)
		}
	}
}

function entries(count: number, value: string): Record<string, string> {
	return Object.fromEntries(Array.from({ length: count }, (_, index) => [`var${index + 1}`, value]))
}

/** Sets the value at this path, and creates the objects and lists above it. */
function put(whole: Record<string, unknown>, path: readonly (string | number)[], value: unknown): void {
	const [name = '', ...rest] = path
	if (rest.length === 0) {
		whole[name] = value
		return
	}
	const known = whole[name]
	const next = typeof known === 'object' && known !== null ? known : typeof rest[0] === 'number' ? [] : {}
	whole[name] = next
	put(next as Record<string, unknown>, rest, value)
}

function requestWith(endpoint: Endpoint, random: Random, changes: Partial<Record<Part, Change>>): HostileRequest {
	const parts = validParts(endpoint, random)
	for (const part of ['params', 'query', 'body'] as const) changes[part]?.(parts[part])
	const as = roleFor(endpoint)
	const { method } = endpoint
	const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => inUrl(parts.params[name] ?? '1'))
	const query = Object.entries(parts.query).map(([name, value]) => `${name}=${inUrl(value)}`)
	const path = `${filled}?${query.join('&')}`.slice(0, MAX_URL_TEXT)
	if (method === 'GET') return { as, method, path, headers: {}, body: undefined }
	if (endpoint.files && random.chance(0.7)) return { as, method, path, headers: {}, body: formOf(parts.body) }
	const body = JSON.stringify(parts.body).replaceAll(`"${DEEP}"`, DEEP_JSON)
	return { as, method, path, headers: { 'content-type': 'application/json' }, body }
}

function validParts(endpoint: Endpoint, random: Random): Record<Part, Record<string, unknown>> {
	const valid = (part: Part) => {
		const shape = shapeOf(endpoint, part)
		return shape ? (validOf(shape, random) as Record<string, unknown>) : {}
	}
	return { params: valid('params'), query: valid('query'), body: valid('body') }
}

function shapeOf(endpoint: Endpoint, part: Part): Shape | null {
	const shape = endpoint[part]
	return shape ? (z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Shape) : null
}

function formOf(fields: Record<string, unknown>): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields))
		form.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
	return form
}

function inUrl(value: unknown): string {
	return encodeURIComponent(String(value).toWellFormed().slice(0, MAX_URL_TEXT))
}

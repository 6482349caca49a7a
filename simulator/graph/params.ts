import type { Call } from './call.ts'
import { invalidParam } from './errors.ts'
import { type JsonObject, isObject, stringOf } from './json.ts'
import { formOf } from './multipart.ts'

/** Returns the parameters of a call from its query and its body (JSON, form or multipart). */
export function paramsOf({ query, headers, body }: Pick<Call, 'query' | 'headers' | 'body'>): JsonObject {
	const inBody = bodyParams(String(headers['content-type'] ?? ''), body)
	return query.size === 0 ? inBody : { ...nested(query), ...inBody }
}

function bodyParams(type: string, body: Buffer): JsonObject {
	if (body.length === 0) return {}
	if (type.startsWith('multipart/form-data')) return nested(Object.entries(formOf(body, type).fields))
	if (type.startsWith('application/x-www-form-urlencoded')) return nested(new URLSearchParams(body.toString()))
	return jsonObjectOf(body)
}

const MAX_FIELDS = 1_000
const MAX_DEPTH = 10

/**
 * Converts form fields to an object: `text[body]=Hello` becomes `{text: {body: 'Hello'}}`, and each `websites[]=…`
 * appends to a list. Throws Graph's error for more than MAX_FIELDS fields or too deep nesting.
 */
function nested(fields: Iterable<[string, string]>): JsonObject {
	const params = Object.create(null) as JsonObject
	let count = 0
	for (const [name, value] of fields) {
		if (++count > MAX_FIELDS) throw invalidParam(`Invalid parameter: more than ${MAX_FIELDS} fields.`)
		const bracket = name.indexOf('[')
		const isNested = bracket > 0 && name.endsWith(']')
		put(params, isNested ? [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')] : [name], value)
	}
	return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, withLists(value)]))
}

function put(params: JsonObject, [step = '', ...steps]: string[], value: string): void {
	if (steps.length >= MAX_DEPTH) throw invalidParam('Invalid parameter: nested too deeply.')
	const key = step === '' ? String(Object.keys(params).length) : step
	if (steps.length === 0) {
		params[key] = value
		return
	}
	const known = params[key]
	const inner = isObject(known) ? known : (Object.create(null) as JsonObject)
	params[key] = inner
	put(inner, steps, value)
}

// Converts objects with the keys 0, 1, 2 … to lists.
function withLists(value: unknown): unknown {
	if (!isObject(value)) return value
	const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const)
	if (entries.every(([key], index) => key === String(index))) return entries.map(([, inner]) => inner)
	return Object.fromEntries(entries)
}

/** Returns the body as a JSON object, or throws Graph's error. */
export function jsonObjectOf(body: Buffer): JsonObject {
	try {
		const value: unknown = JSON.parse(body.toString())
		if (isObject(value)) return value
	} catch {
		// The throw below covers bodies that are not JSON.
	}
	throw invalidParam('Invalid parameter: the body is not a JSON object.')
}

/** Parses a parameter that was sent as JSON text. The Graph API accepts JSON text for any object or list. */
export function unpacked(value: unknown): unknown {
	if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
	try {
		return JSON.parse(value)
	} catch {
		throw invalidParam('Invalid parameter: not valid JSON.')
	}
}

export function textParam(params: JsonObject, name: string): string {
	const text = stringOf(params[name])
	if (!text) throw invalidParam(`The parameter ${name} is required.`)
	return text
}

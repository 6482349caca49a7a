import type { Call } from './call.ts'
import { invalidParam } from './errors.ts'
import { type JsonObject, isObject, stringOf } from './json.ts'
import { formOf } from './multipart.ts'

/** The parameters of a call, from its query and its body (JSON, form or multipart). */
export function paramsOf({ query, headers, body }: Pick<Call, 'query' | 'headers' | 'body'>): JsonObject {
	const inQuery = Object.fromEntries(query)
	if (body.length === 0) return inQuery
	const type = String(headers['content-type'] ?? '')
	if (type.startsWith('multipart/form-data')) return { ...inQuery, ...formOf(body, type).fields }
	if (type.startsWith('application/x-www-form-urlencoded')) {
		return { ...inQuery, ...Object.fromEntries(new URLSearchParams(body.toString())) }
	}
	return { ...inQuery, ...jsonObjectOf(body) }
}

/** The body as a JSON object, or the error that Graph returns for anything else. */
export function jsonObjectOf(body: Buffer): JsonObject {
	try {
		const value: unknown = JSON.parse(body.toString())
		if (isObject(value)) return value
	} catch {
		// Throws below, as for any body that is not an object.
	}
	throw invalidParam('Invalid parameter: the body is not a JSON object.')
}

/** Parses a parameter that was sent as the JSON text of a form field. */
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

import * as z from 'zod/mini'
import type { Endpoint } from '#lib/endpoint.ts'
import { bodyBounds } from '#lib/server/http/body/json-body.ts'
import { roleFor, type HostileRequest, type Shape } from './hostile-requests.ts'

/** Size above the limit of any call's body. */
const MEGABYTES_16 = 17_000_000
/** Byte limits above this belong to calls that take lists. */
const SMALL = 100_000
const NAMES_OF_OBJECT = 50

const encode = (text: string) => Buffer.from(text)
/** Parts of the bodies, created once because creating them takes longer than the measured work. */
const OPENED = encode('['.repeat(MEGABYTES_16 / 2))
const CLOSED = encode(']'.repeat(MEGABYTES_16 / 2))
const EMPTY_OBJECTS = encode('{},'.repeat(MEGABYTES_16 / 3))
const NAMES = encode(Array.from({ length: 1_300_000 }, (_, index) => `"n${index}":1,`).join(''))

/**
 * Yields for each call the bodies that take longest to parse, in the largest allowed size: nested lists, many names and many
 * empty objects. Each body exceeds the bounds of the call's shape; calls with long lists also get bodies just within them. The
 * call's own caller and a stranger send each body, and every kind of caller sends those for long lists.
 */
export function* worstBodies(endpoints: readonly Endpoint[]): Generator<() => HostileRequest> {
	for (const endpoint of endpoints) {
		if (endpoint.method === 'GET') continue
		const { bytes } = bodyBounds(endpoint.body, endpoint)
		const role = roleFor(endpoint)
		const isLarge = bytes > SMALL
		const callers = new Set<HostileRequest['as']>(isLarge ? [role, null, 'user', 'admin', 'key'] : [role, null])
		const bodies = [...beyondBounds(bytes), ...(isLarge ? withinBounds(endpoint) : [])]
		for (const make of bodies) {
			for (const as of callers) {
				const path = endpoint.path.replace(/\{\w+\}/g, '1')
				const headers = { 'content-type': 'application/json' }
				yield () => ({ as, method: endpoint.method, path, headers, body: make() })
			}
		}
	}
}

type Body = () => Uint8Array<ArrayBuffer>

/** Returns functions that make nested lists, names and empty objects of this number of bytes. */
export function beyondBounds(bytes: number): Body[] {
	const half = Math.floor(bytes / 2)
	return [
		() => Buffer.concat([OPENED.subarray(0, half), CLOSED.subarray(0, half)]),
		() => Buffer.concat([encode('{'), upToComma(NAMES, bytes - 2), encode('}')]),
		() => Buffer.concat([encode('['), upToComma(EMPTY_OBJECTS, bytes - 2), encode(']')]),
	]
}

/** Returns functions that make bodies whose first list has the maximum number of names or of empty objects. */
function withinBounds(endpoint: Endpoint): Body[] {
	const { bytes, values } = bodyBounds(endpoint.body, endpoint)
	const { properties = {} } = z.toJSONSchema(endpoint.body as z.ZodMiniType, {
		io: 'input',
		unrepresentable: 'any',
	}) as Shape
	const list = Object.entries(properties).find(([, part]) => part.type === 'array')?.[0] ?? 'contacts'
	// Each takes a comma and a bracket.
	const empty = Math.floor(Math.min(values - 10, bytes / 2) / 2)
	return [
		() => encode(`{"${list}":[${objectsWithin(endpoint).join(',')}]}`),
		() => Buffer.concat([encode(`{"${list}":[`), upToComma(EMPTY_OBJECTS, empty * 3), encode(']}')]),
	]
}

/** Returns objects whose distinct names are as many as a body of the call may have. */
function objectsWithin(endpoint: Endpoint): string[] {
	const { bytes, names } = bodyBounds(endpoint.body, endpoint)
	const objects: string[] = []
	let size = 0
	for (let first = 0; first + NAMES_OF_OBJECT < names - 10 && size < bytes - SMALL / 10; first += NAMES_OF_OBJECT) {
		const object = `{${Array.from({ length: NAMES_OF_OBJECT }, (_, index) => `"n${first + index}":1`).join(',')}}`
		objects.push(object)
		size += object.length + 1
	}
	return objects
}

function upToComma(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
	return bytes.subarray(0, bytes.lastIndexOf(',', length))
}

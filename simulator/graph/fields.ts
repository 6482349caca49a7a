import { invalidParam } from './errors.ts'
import type { JsonObject } from './json.ts'

interface Projection {
	/** The value of the `fields` parameter. */
	requested: string | null
	/** The fields returned when `requested` is null. */
	defaults: readonly string[]
	/** The object's type, for the error message. */
	node: string
}

/** The requested fields and the id. Fields without a value are left out, as Graph does. */
export function project(object: JsonObject, { requested, defaults, node }: Projection): JsonObject {
	const names = requested ? requested.split(',').map((name) => name.trim()) : defaults
	const answer: JsonObject = {}
	for (const name of names) {
		const plain = name.replace(/[.{(].*$/, '')
		if (!(plain in object)) throw invalidParam(`Tried accessing nonexisting field (${plain}) on node type (${node})`)
		const value = object[plain]
		if (value !== null && value !== undefined) answer[plain] = value
	}
	if ('id' in object) answer['id'] = object['id']
	return answer
}

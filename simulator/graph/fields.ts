import { invalidParam } from './errors.ts'
import type { JsonObject } from './json.ts'

interface Projection {
	/** The `fields` parameter as it came. */
	requested: string | null
	/** What is given when nothing is requested for. */
	defaults: readonly string[]
	/** Name of the kind of object, for the refusal. */
	node: string
}

/** The fields requested for, the id always with them. Fields that are not set are left out, as Graph does. */
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
